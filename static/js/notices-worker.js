// Service worker of static/js/notices.js: a click on a notification focuses or opens its page.
addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(
    clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const page = pages.find(({ url }) => url === notification.data);
      return page ? page.focus() : clients.openWindow(notification.data);
    }),
  );
});
