/** Small things over the picture: the hint, the notice, buttons for thumbs. */

/** A card over the picture. */
export function card(host: HTMLElement, kind: string, tag = 'div'): HTMLElement {
  const element = document.createElement(tag);
  element.className = `scene-card scene-${kind}`;
  element.dataset['testid'] = `scene-${kind}`;
  host.append(element);
  return element;
}

const shownFor = 9000; // milliseconds

/** Says how to move, and goes away by itself. @returns what makes it go at once */
export function showHint(host: HTMLElement): () => void {
  const hint = card(host, 'hint');
  const touch = matchMedia('(pointer: coarse)').matches;
  const parts = touch
    ? ['one finger looks', 'two fingers or the buttons fly']
    : [
        '[W][A][S][D] or arrows move',
        'drag looks',
        '[E] up, [Q] down',
        '[F] walks',
        'wheel: speed',
        '[P] numbers',
      ];
  for (const part of parts) {
    if (hint.childNodes.length > 0) hint.append(' · ');
    for (const piece of part.split(/(\[[A-Z]\])/)) {
      if (!piece.startsWith('[')) {
        hint.append(piece);
        continue;
      }
      const key = document.createElement('kbd');
      key.textContent = piece.slice(1, -1);
      hint.append(key, ' ');
    }
  }
  const go = (): void => {
    window.clearTimeout(timer);
    hint.style.opacity = '0';
    window.setTimeout(() => hint.remove(), 900);
  };
  const timer = window.setTimeout(go, shownFor);
  return go;
}

/** A line that is there while something is wrong. */
export class Notice {
  readonly #element: HTMLElement;

  constructor(host: HTMLElement) {
    this.#element = card(host, 'notice');
    this.#element.setAttribute('role', 'status');
    this.#element.hidden = true;
  }

  /** undefined: nothing is wrong. */
  show(text: string | undefined): void {
    this.#element.hidden = text === undefined;
    this.#element.textContent = text ?? '';
  }
}

/** Buttons to fly with, where fingers point. */
export class ThumbPad {
  readonly wish = { forward: 0, right: 0, up: 0 };

  constructor(host: HTMLElement, toggleWalk: () => void) {
    const pad = card(host, 'pad');
    const held = (text: string, label: string, axis: keyof ThumbPad['wish'], by: number): void => {
      const button = pad.appendChild(labelled(text, label));
      button.addEventListener('pointerdown', (event) => {
        button.setPointerCapture(event.pointerId);
        this.wish[axis] = by;
      });
      for (const end of ['pointerup', 'pointercancel'] as const) {
        button.addEventListener(end, () => (this.wish[axis] = 0));
      }
    };
    held('⤓', 'Down', 'up', -1);
    held('↑', 'Forward', 'forward', 1);
    held('⤒', 'Up', 'up', 1);
    held('←', 'Left', 'right', -1);
    held('↓', 'Back', 'forward', -1);
    held('→', 'Right', 'right', 1);
    pad.appendChild(labelled('walk / fly', 'Walk or fly')).addEventListener('click', toggleWalk);
  }
}

function labelled(text: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = text;
  button.setAttribute('aria-label', label);
  return button;
}
