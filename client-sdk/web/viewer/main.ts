/** Starts the viewer: puts the parts of the page together. */
import { App } from './app.js';
import { slot } from './dom.js';
import { openKeyboard } from './keyboard.js';
import { openMap } from './map/index.js';
import type { MapStage } from './map/index.js';
import type { Profile } from './map/height_profile.js';
import type { Reading } from './map/sample.js';
import { Ruler } from './map/ruler.js';
import { openScale } from './map/scale.js';
import { openFindPanel } from './panels/find_panel.js';
import { makeHelpDialog } from './panels/help_dialog.js';
import { openLandPanel } from './panels/land_panel.js';
import { openLayerPanel } from './panels/layer_panel.js';
import { openLegend } from './panels/legend.js';
import { openNotices } from './panels/notices.js';
import { openReadout } from './panels/readout.js';
import { openTokenDialog } from './panels/token_dialog.js';
import { openTools } from './panels/tools.js';
import { openTop } from './panels/top.js';
import { openSceneSwitch } from './scene_switch.js';
import { parseState } from './state.js';
import type { ViewState } from './state.js';
import { loadWorlds, watchWorld } from './watch.js';

/** For tests and the curious. */
export interface ViewerHooks {
  app: App;
  map: MapStage;
  state(): ViewState;
  /** Resolves when all that can be seen is painted. */
  settled(): Promise<void>;
  /** What lies at a block, from the land at hand. */
  sample(x: number, y: number): Reading | undefined;
  /** Heights along the way that is measured, once they are drawn. */
  profile(): Profile | undefined;
}

declare global {
  interface Window {
    terrane?: ViewerHooks;
  }
}

function start(): void {
  const app = new App(new URL('.', document.baseURI).href, location.hash);
  openNotices(app);
  openTokenDialog(app, () => void loadWorlds(app).then(() => reopenScene()));
  const map = openMap(slot('views'), app);
  const side = slot('side');
  openTop(app, side);
  openLandPanel(app, side);
  openLayerPanel(app, side);
  openFindPanel(app, side);
  openLegend(app, map, side);
  const readout = openReadout(app, map);
  openScale(app);
  const ruler = new Ruler(app, map);
  const help = makeHelpDialog();
  openTools(app, map, ruler, help);
  openKeyboard({ app, map, ruler, readout, help });
  const reopenScene = openSceneSwitch(app);
  window.addEventListener('hashchange', () => {
    // what the new link does not say is gone
    app.update({
      ...{ highlight: undefined, compare: undefined, eye: undefined },
      ...parseState(location.hash),
    });
  });
  window.terrane = {
    app,
    map,
    state: () => app.state,
    settled: () => map.settled(),
    sample: (x, y) => map.sample(x, y),
    profile: () => ruler.profile,
  };
  void loadWorlds(app);
  watchWorld(app);
}

start();
