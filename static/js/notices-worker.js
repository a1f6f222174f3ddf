// Shows the notices of static/js/notices.js; a press on one leads to the page that it is of.
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
