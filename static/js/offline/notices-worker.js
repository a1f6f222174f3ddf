// The part of the service worker that receives and displays notices. A block, because both parts are one script.
{
  const { BUILD, registration } = self;
  const NOTICES = "/notifications";
  const IN_PLAY = /\/(?:games|tables|play)\//; // perhaps a running match, or a table where one waits for it
  const TARGET_WAIT_MS = 800; // the permission to open a window lasts a second in some browsers

  addEventListener("push", (event) => {
    const { title, body, url, tag, badge, open } = event.data.json();
    const options = { body, tag, data: url, icon: BUILD.icon, badge: BUILD.badge, renotify: true };
    const display = registration.showNotification(title, options);
    const others = open && takeOffScreen([...open, tag]); // earlier releases did not send it
    event.waitUntil(Promise.all([display, others, showBadge(badge)]));
  });

  /**
   * Close the notices that are not unread any more, as they were read on this or another device, and those of an open page
   * (notices.js) about the one at `path`.
   */
  const takeOffScreen = async (unread, path) => {
    for (const notice of await registration.getNotifications()) {
      const isPushed = notice.data?.startsWith(NOTICES);
      if (isPushed ? !unread.includes(notice.tag) : notice.tag === path) notice.close();
    }
  };

  const showBadge = async (number) => {
    try {
      await (number ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.());
    } catch (error) {
      console.warn(error); // only installed apps have one
    }
  };

  addEventListener("message", (event) => {
    if (event.data?.type !== "notices") return;
    event.waitUntil(takeOffScreen(event.data.open, event.data.path));
  });

  addEventListener("notificationclick", (event) => {
    const { notification } = event;
    const address = new URL(notification.data ?? "/", location.origin).href;
    notification.close();
    event.waitUntil(openNotice(address));
  });

  /** Focus the page that a notice is about where it is open, else open it. */
  const openNotice = async (address) => {
    const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const path = new URL(await findTarget(address), location.origin).pathname;
    const page = pages.find(({ url }) => new URL(url).pathname === path);
    try {
      await (page ? page.focus() : clients.openWindow(address));
    } catch (error) {
      console.warn(error); // not allowed, as too much time has passed: use a page that is there, but no match
      const idle = pages.find(({ url }) => !IN_PLAY.test(new URL(url).pathname));
      await idle?.navigate(address).catch(console.warn);
    }
  };

  /** Ask the site for the address of the page that a notice is about: notices do not contain it. */
  const findTarget = async (address) => {
    if (!new URL(address).pathname.startsWith(NOTICES)) return address; // of an open page
    const headers = { Accept: "application/json" };
    const signal = AbortSignal.timeout?.(TARGET_WAIT_MS);
    try {
      const response = await fetch(address, { headers, signal });
      return response.ok && !response.redirected ? (await response.json()).target : address;
    } catch {
      return address; // without a network
    }
  };

  addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(subscribeAgain(event.oldSubscription, event.newSubscription));
  });

  /** Store the subscription that replaces an old one, which the push service has ended. */
  const subscribeAgain = async (before, after) => {
    const response = await fetch(`${NOTICES}/key`, { headers: { Accept: "application/json" } });
    if (!response.ok || response.redirected) return; // logged out
    const { key, token } = await response.json();
    const options = { userVisibleOnly: true, applicationServerKey: key };
    const { endpoint, keys } = (after ?? (await registration.pushManager.subscribe(options))).toJSON();
    const replaces = before?.endpoint ?? "";
    const fields = { endpoint, key: keys.p256dh, secret: keys.auth, server_key: key, replaces };
    await fetch(`${NOTICES}/subscribe`, {
      method: "POST",
      headers: { "X-CSRFToken": token, Accept: "application/json" },
      body: new URLSearchParams(fields),
    });
  };

  /** Forget the reader, who logs out: what is on the screen, the badge and the subscription. */
  self.forgetNotices = async () => {
    for (const notice of await registration.getNotifications()) notice.close();
    const subscription = await registration.pushManager?.getSubscription();
    if (!subscription) return; // without one, the badge is the pages' (strip.js)
    await showBadge(0);
    await subscription.unsubscribe(); // its next notice is refused, and the site forgets it
  };
}
