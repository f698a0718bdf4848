/** Making elements in few words. */

type Child = Node | string | undefined | false;

/** Properties of an element, its `data-testid`, and ARIA attributes by name. */
export type Props<K extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[K], 'style' | 'dataset'>
> & { test?: string; aria?: Record<string, string> };

/**
 * @param test  becomes data-testid
 * @param aria  { label: 'Zoom in' } becomes aria-label="Zoom in"
 */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props<K> = {} as Props<K>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  const { test, aria, ...rest } = props;
  Object.assign(element, rest);
  if (test !== undefined) element.dataset['testid'] = test;
  for (const [name, value] of Object.entries(aria ?? {}))
    element.setAttribute(`aria-${name}`, value);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

/** A button. */
export function button(
  text: string,
  props: Props<'button'>,
  onClick: () => void,
): HTMLButtonElement {
  const element = el('button', { type: 'button', ...props }, text);
  element.addEventListener('click', onClick);
  return element;
}

/** The element with a data-slot of the page; throws where the page has none. */
export function slot(name: string): HTMLElement {
  const element = document.querySelector<HTMLElement>(`[data-slot="${name}"]`);
  if (!element) throw new Error(`the page has no ${name}`);
  return element;
}

/** Drawings of 20 x 20 for buttons, as the paths of a stroke. */
const icons: Record<string, string> = {
  plus: 'M10 4v12M4 10h12',
  minus: 'M4 10h12',
  ruler: 'M3 13 13 3l4 4L7 17zM6 10l2 2M9 7l2 2M12 4l2 2',
  cube: 'M10 2.5 17 6v8l-7 3.5L3 14V6zM3 6l7 3.5L17 6M10 9.5v8',
  help: 'M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1 1-1.1 1.8M10 14.4v.1',
  link:
    'M8 12a3 3 0 0 0 4.2.3l3-3A3 3 0 0 0 11 5l-1 1' +
    'M12 8a3 3 0 0 0-4.2-.3l-3 3A3 3 0 0 0 9 15l1-1',
  dice: 'M4 4h12v12H4zM7.2 7.2v.1M12.8 7.2v.1M10 10v.1M7.2 12.8v.1M12.8 12.8v.1',
  menu: 'M3 6h14M3 10h14M3 14h14',
};

/** An icon for a button; it says nothing to screen readers. */
export function icon(name: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 20 20');
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS(space, 'path');
  path.setAttribute('d', icons[name] ?? '');
  svg.append(path);
  return svg;
}

/** A square button with an icon. */
export function iconButton(
  name: string,
  label: string,
  test: string,
  onClick: () => void,
): HTMLButtonElement {
  const element = button('', { className: 'tool', title: label, test, aria: { label } }, onClick);
  element.append(icon(name));
  return element;
}
