/**
 * The document that xterm sees: the page's own, in a way our content policy agrees with. xterm fills `<style>` elements and `style`
 * attributes, which the policy forbids; here the first are stand-ins over stylesheets made by script, and the second are set through the
 * CSS object model. Both take the same text to the same rules, and the policy stays as strict as it is. The build (vite.config.ts) puts
 * this in the place of xterm's `document`; nothing of the page's own is changed.
 */

const page = globalThis.document;

export const policyDocument: Document = new Proxy(page, {
  get: (target, name) => {
    if (name === 'createElement') return createElement;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

function createElement(name: string, options?: ElementCreationOptions): HTMLElement {
  if (name === 'style') return makeStandIn();
  const element = page.createElement(name, options);
  if (name === 'span') element.setAttribute = setAttributeByModel;
  return element;
}

/** Looks like a style element to who fills it, and like an empty span to the browser. */
function makeStandIn(): HTMLElement {
  const sheet = new CSSStyleSheet();
  page.adoptedStyleSheets.push(sheet);
  const element = page.createElement('span');
  element.hidden = true;
  Object.defineProperties(element, {
    textContent: { set: (text: string) => sheet.replaceSync(text) },
    remove: {
      value: () => {
        page.adoptedStyleSheets = page.adoptedStyleSheets.filter((one) => one !== sheet);
        Element.prototype.remove.call(element);
      },
    },
  });
  return element;
}

function setAttributeByModel(this: HTMLElement, name: string, value: string): void {
  if (name === 'style') this.style.cssText = value;
  else Element.prototype.setAttribute.call(this, name, value);
}
