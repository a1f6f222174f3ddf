// A waiting table: once the seal is shown, this browser adds its own random characters to the shuffle.
(() => {
  const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

  function nonce() {
    const bytes = crypto.getRandomValues(new Uint8Array(64));
    // 252 is the largest multiple of 36 in a byte: what lies above would favour the first characters.
    return Array.from(bytes).filter((byte) => byte < 252).slice(0, 32).map((byte) => ALPHABET[byte % 36]).join("");
  }

  function give() {
    const waiting = document.getElementById("waiting");
    const form = document.getElementById("nonce-form");
    if (!waiting?.hasAttribute("data-needs-nonce") || !form || form.dataset.sent) return;
    if (!document.getElementById("seal")?.textContent) return;
    if (form.contains(document.activeElement) && form.elements.nonce.value) return; // they type their own
    form.dataset.sent = "yes";
    form.elements.nonce.value = nonce();
    fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
  }

  give();
  document.body.addEventListener("htmx:wsAfterMessage", give);

  const copy = document.getElementById("copy-link");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.getElementById("invite-link").value);
      copy.querySelector("span").textContent = copy.dataset.done;
    });
  }
})();
