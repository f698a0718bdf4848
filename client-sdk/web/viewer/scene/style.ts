/** How the scene's own controls look. The page's style.css knows nothing of them. */
const rules = `
.scene-view { position: absolute; inset: 0; overflow: hidden; background: #9fb4c4; }
.scene-view canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block;
  touch-action: none; outline: none; cursor: grab; }
.scene-view canvas:active { cursor: grabbing; }
.scene-view canvas:focus-visible { box-shadow: inset 0 0 0 2px #8fc1ff; }
.scene-card { position: absolute; color: #e9edf1; background: rgb(18 22 27 / 0.72);
  backdrop-filter: blur(8px); border: 1px solid rgb(255 255 255 / 0.08); border-radius: 10px;
  font: 12px/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.scene-panel { right: 12px; bottom: 12px; padding: 10px 12px; min-width: 190px; display: grid;
  grid-template-columns: auto 1fr; gap: 1px 14px; pointer-events: none; margin: 0; }
.scene-panel dt { color: #9fabb8; }
.scene-panel dd { margin: 0; text-align: right; }
.scene-hint { left: 50%; bottom: 18px; transform: translateX(-50%); padding: 10px 16px;
  text-align: center; font-size: 13px; max-width: calc(100% - 40px); width: max-content;
  pointer-events: none; transition: opacity 0.8s; }
.scene-hint kbd { font: inherit; color: #fff; background: rgb(255 255 255 / 0.13);
  border-radius: 4px; padding: 0 5px; }
.scene-notice { left: 50%; top: 64px; transform: translateX(-50%); padding: 8px 16px;
  font-size: 13px; border-color: rgb(255 190 110 / 0.5); }
.scene-pad { right: 14px; bottom: 14px; padding: 6px; display: none; gap: 6px;
  grid-template-columns: repeat(3, 48px); }
.scene-pad button { height: 48px; border: 0; border-radius: 8px; color: inherit;
  font: 18px/1 system-ui; background: rgb(255 255 255 / 0.1);
  touch-action: none; user-select: none; }
.scene-pad button:last-child { grid-column: 1 / -1; height: 36px; font-size: 13px; }
.scene-pad button:active { background: rgb(255 255 255 / 0.28); }
.scene-view [hidden] { display: none; }
@media (pointer: coarse) {
  .scene-pad { display: grid; }
  .scene-panel { bottom: auto; top: 64px; }
  .scene-hint { bottom: 190px; }
}
@media (prefers-reduced-motion: reduce) { .scene-hint { transition: none; } }
`;

let sheet: CSSStyleSheet | undefined;

/** Adds the rules to the page, once. A sheet made by code is no inline style to a CSP. */
export function adoptStyle(): void {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
