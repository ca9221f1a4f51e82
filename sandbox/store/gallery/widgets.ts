import { join } from "node:path";
import express, { Router } from "express";
import { html, type SafeHtml } from "../../mail/html.ts";
import { raw, script } from "./markup/layout.ts";

const PACKAGES_FOLDER = join(import.meta.dirname, "../../../node_modules");
/** Packages whose files pages load, as they are published on npm. */
const PACKAGES = [
  ...["jquery", "select2", "choices.js", "intl-tel-input", "imask", "vanilla-cookieconsent", "awesomplete"],
  ...["lit", "lit-element", "lit-html", "@lit/reactive-element"],
];

/** Serves the packages at `/vendor/<package>/…`. */
export function widgetRoutes(): Router {
  const router = Router();
  for (const name of PACKAGES) router.use(`/vendor/${name}`, express.static(join(PACKAGES_FOLDER, name)));
  return router;
}

const file = (path: string) =>
  path.endsWith(".css")
    ? html`<link rel="stylesheet" href="/vendor/${path}">`
    : html`<script src="/vendor/${path}"></script>`;

/** Replaces matching selects with select2, as WooCommerce does. */
export function select2(selector: string): SafeHtml {
  return html`${file("select2/dist/css/select2.min.css")}${file("jquery/dist/jquery.min.js")}${file("select2/dist/js/select2.min.js")}
    ${script(`jQuery(${JSON.stringify(selector)}).select2({ width: "100%" });`)}`;
}

/** Replaces matching selects with choices.js. */
export function choices(selector: string): SafeHtml {
  return html`${file("choices.js/public/assets/styles/choices.min.css")}${file("choices.js/public/assets/scripts/choices.min.js")}
    ${script(`document.querySelectorAll(${JSON.stringify(selector)}).forEach((select) => new Choices(select, { shouldSort: false, itemSelectText: "" }));`)}`;
}

/** Makes matching inputs telephone fields with a country list. */
export function intlTelInput(selector: string, country: string): SafeHtml {
  return html`${file("intl-tel-input/dist/css/intlTelInput.min.css")}${file("intl-tel-input/dist/js/intlTelInputWithUtils.min.js")}
    ${script(`document.querySelectorAll(${JSON.stringify(selector)}).forEach((input) => {
      const widget = window.intlTelInput(input, { initialCountry: ${JSON.stringify(country.toLowerCase())}, strictMode: true });
      input.form?.addEventListener("submit", () => { input.value = widget.getNumber(); });
    });`)}`;
}

/** Masks matching inputs. @param mask as in IMask, such as `0000 0000 0000 0000` */
export function imask(masks: Readonly<Record<string, string>>): SafeHtml {
  return html`${file("imask/dist/imask.min.js")}
    ${script(`for (const [selector, mask] of Object.entries(${JSON.stringify(masks)}))
      document.querySelectorAll(selector).forEach((input) => IMask(input, { mask }));`)}`;
}

/** Consent dialog that covers the page. It closes with either choice. */
export function cookieConsent(layout: "box" | "bar" | "cloud", language = "en"): SafeHtml {
  const texts: Record<string, string[]> = {
    en: ["We use cookies", "Accept all", "Reject all", "Manage preferences", "Save"],
    de: ["Wir verwenden Cookies", "Alle akzeptieren", "Alle ablehnen", "Einstellungen", "Speichern"],
  };
  const [title, acceptAllBtn, acceptNecessaryBtn, showPreferencesBtn, savePreferencesBtn] = texts[language] ?? [];
  const consentModal = { title, description: "…", acceptAllBtn, acceptNecessaryBtn, showPreferencesBtn };
  const preferencesModal = { title, acceptAllBtn, acceptNecessaryBtn, savePreferencesBtn, sections: [] };
  const settings = {
    disablePageInteraction: true,
    guiOptions: { consentModal: { layout, position: "middle center" } },
    categories: { necessary: { enabled: true, readOnly: true }, analytics: {}, ads: {} },
    language: { default: language, translations: { [language]: { consentModal, preferencesModal } } },
  };
  return html`${file("vanilla-cookieconsent/dist/cookieconsent.css")}${file("vanilla-cookieconsent/dist/cookieconsent.umd.js")}
    ${script(`CookieConsent.run(${JSON.stringify(settings)});`)}`;
}

/** Suggestions under an input while the buyer types. */
export function awesomplete(selector: string, suggestions: readonly string[]): SafeHtml {
  return html`${file("awesomplete/awesomplete.css")}${file("awesomplete/awesomplete.min.js")}
    ${script(`new Awesomplete(document.querySelector(${JSON.stringify(selector)}), { list: ${JSON.stringify(suggestions)}, filter: () => true, minChars: 3 });`)}`;
}

/** Import map for custom elements that are written with Lit. It must precede the first module. */
export function litImports(): SafeHtml {
  const imports = {
    lit: "/vendor/lit/index.js",
    "lit-html": "/vendor/lit-html/lit-html.js",
    "lit-html/is-server.js": "/vendor/lit-html/is-server.js",
    "lit-element/lit-element.js": "/vendor/lit-element/lit-element.js",
    "@lit/reactive-element": "/vendor/@lit/reactive-element/reactive-element.js",
  };
  return raw(`<script type="importmap">${JSON.stringify({ imports })}</script>`);
}
