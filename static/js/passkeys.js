// Passkeys: log in, sign up, add one, confirm who it is. A form of `data-passkey` gets its `credential` from the
// browser before it is sent. allauth's webauthn-json.js translates between JSON and the browser's buffers.

const { create, get, supported } = window.webauthnJSON;

const readOptions = () => JSON.parse(document.querySelector("#js_data").textContent);

// The server asks for a security key; a passkey is stored with the account's name and opened by a finger, a face or a PIN.
function requirePasskey(options) {
  const selection = options.publicKey.authenticatorSelection;
  Object.assign(selection, {
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  });
  return options;
}

async function fetchJson(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { Accept: "application/json" } });
  return response.ok ? response.json() : null;
}

// By kind of form: return the credential, or null to have the server say what is wrong.
const ceremonies = {
  login: async (form) => get((await fetchJson(form.action)).request_options),
  confirm: async () => get(readOptions().request_options),
  add: async () => create(requirePasskey(readOptions().creation_options)),
  async signup(form) {
    const answer = await fetchJson(form.action, { method: "POST", body: new FormData(form) });
    if (!answer) return null;
    form.elements.csrfmiddlewaretoken.value = answer.csrf; // of the new guest's session
    return create(answer.creation_options);
  },
};

// The browser offers passkeys in the field of the name; at most one ceremony may wait, so that any other ends this one.
const offer = new AbortController();

async function offerInField(form) {
  if (!(await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.())) return;
  const answer = await fetchJson(form.action);
  if (!answer || offer.signal.aborted) return;
  try {
    const request = { ...answer.request_options, mediation: "conditional", signal: offer.signal };
    form.elements.credential.value = JSON.stringify(await get(request));
    form.submit();
  } catch {
    // Ended by the button, or nothing was chosen.
  }
}

for (const sentence of document.querySelectorAll(".no-passkeys")) sentence.hidden = supported();
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !supported();
  form.querySelector("[autofocus]")?.focus(); // the browser passes over a hidden field
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const failed = form.querySelector("[role=alert]");
    const button = form.querySelector("button");
    failed.textContent = "";
    button.disabled = true;
    offer.abort();
    try {
      const credential = await ceremonies[form.dataset.passkey](form);
      form.elements.credential.value = credential ? JSON.stringify(credential) : "";
      form.submit(); // without the event
    } catch (error) {
      const twice = error.name === "InvalidStateError" && form.dataset.twice;
      failed.textContent = twice || form.dataset.failed; // cancelled, out of time, or not answered
      button.disabled = false;
    }
  });
  if (form.dataset.passkey === "login" && supported()) offerInField(form);
}
