/** One map of one variant: the land, what lies on it, and what is read from it. */
import * as L from 'leaflet';
import type { World } from '../../src/index.js';
import type { App } from '../app.js';
import { el } from '../dom.js';
import { sameChoice } from '../state.js';
import type { Choice, ViewState } from '../state.js';
import { Bundles } from './bundles.js';
import { canShow, legendOf } from './legend.js';
import type { Legend } from './legend.js';
import { ChunkGrid } from './chunk_grid.js';
import { LandLayer } from './land_layer.js';
import { Painters } from './paint/painters.js';
import { biomeAt, readBlock } from './sample.js';
import type { Reading } from './sample.js';
import { StructureMarkers } from './structure_markers.js';

/** Plain coordinates: x grows east, y south, in blocks. */
const crs = L.Util.extend({}, L.CRS.Simple, {
  transformation: new L.Transformation(1, 0, 1, 0),
}) as L.CRS;

export const maxZoom = 6;

/** Levels beyond World.maxLod that are shown by leaving samples out. */
const levelsBeyond = 2;

/** Bytes of decoded bundles that a map keeps. */
const budget = matchMedia('(max-width: 719px)').matches ? 96e6 : 192e6;

export function toLatLng(x: number, y: number): L.LatLng {
  return L.latLng(y, x);
}

/** Where something on a map has happened: told to whoever listens. */
export interface ViewEvents {
  /** The map has been moved by whoever looks on. */
  onMove: (x: number, y: number, zoom: number) => void;
  /** The pointer is over a block; undefined: it has left. */
  onPoint: (view: LandView, at: { x: number; y: number } | undefined) => void;
  /** More land has come, or has been painted. */
  onLand: (view: LandView) => void;
}

export class LandView {
  readonly map: L.Map;
  readonly element: HTMLElement;
  legend: Legend | undefined;
  bundles: Bundles | undefined;
  private choice: Choice | undefined;
  private readonly painters = new Painters((navigator.hardwareConcurrency || 2) > 2 ? 2 : 1);
  private readonly land: LandLayer;
  private readonly grid = new ChunkGrid();
  private readonly markers: StructureMarkers;
  private readonly crosshair = el('div', { className: 'crosshair' });
  private readonly label = el('div', { className: 'name', hidden: true });
  private isFollowing = false;

  constructor(
    host: HTMLElement,
    private readonly app: App,
    private readonly events: ViewEvents,
    name: string,
  ) {
    const pane = el('div', { test: name });
    this.element = el('div', { className: 'view' }, pane, this.crosshair, this.label);
    host.append(this.element);
    const { x, y, zoom } = app.state;
    this.map = L.map(pane, {
      crs,
      center: toLatLng(x, y),
      zoom: Math.round(zoom),
      minZoom: -10,
      maxZoom,
      zoomControl: false,
      attributionControl: false,
      keyboard: false, // the viewer's own keys work wherever the focus is
      boxZoom: false,
      bounceAtZoomLimits: false,
      inertiaMaxSpeed: 4000,
    });
    pane.tabIndex = 0;
    pane.setAttribute('aria-label', 'Map. Arrow keys move, plus and minus zoom.');
    pane.setAttribute('role', 'application');
    this.markers = new StructureMarkers(app, this);
    this.land = new LandLayer(this.painters, () => {
      this.markers.refresh();
      events.onLand(this);
    });
    this.listen();
  }

  /** Shows a choice as the state says. Changed worlds take the place of the ones before. */
  show(choice: Choice, state: ViewState, withLabel: boolean): void {
    const variant = this.app.variantOf(choice);
    const world = this.app.worldOf(choice);
    if (!variant || !world) return;
    const isOther = JSON.stringify(variant) !== JSON.stringify(this.bundles?.variant);
    if (isOther || this.legend?.world !== world) {
      const keep = sameChoice(choice, this.choice);
      this.choice = choice;
      this.setWorld(world);
      this.bundles?.close();
      this.bundles = new Bundles(this.app, variant, world.chunkSize, budget);
      this.land.setLand({ bundles: this.bundles, legend: this.legend! }, keep);
      if (!this.map.hasLayer(this.land)) this.land.addTo(this.map);
    }
    this.label.hidden = !withLabel;
    this.label.textContent =
      'realm' in choice ? choice.realm : `${choice.world} · seed ${choice.seed}`;
    this.follow(state);
  }

  /** What lies at a block; undefined where no land is at hand. */
  read(x: number, y: number): Reading | undefined {
    const { bundles, legend } = this;
    return bundles && legend ? readBlock(bundles, legend.world, x, y) : undefined;
  }

  /** The biome's id at a block; as `read`, and cheaper. */
  readBiome(x: number, y: number): number | undefined {
    const { bundles, legend } = this;
    return bundles && legend ? biomeAt(bundles, legend.world, x, y) : undefined;
  }

  get isSettled(): boolean {
    return this.land.isSettled;
  }

  /** Shows the cross-hair, which says what the reading below the map is about. */
  showCrosshair(isOn: boolean): void {
    this.crosshair.classList.toggle('on', isOn);
  }

  /** Opens the structure nearest to the middle, if one is near. */
  openNearestStructure(): boolean {
    return this.markers.openNearest(this.map.getCenter());
  }

  /** To be called when its element has another size. */
  resized(): void {
    const { x, y, zoom } = this.app.state;
    this.quietly(() => {
      this.map.invalidateSize({ pan: false });
      this.map.setView(toLatLng(x, y), zoom, { animate: false });
    });
    this.land.refresh();
  }

  close(): void {
    this.land.remove();
    this.map.remove();
    this.bundles?.close();
    this.painters.close();
    this.element.remove();
  }

  private setWorld(world: World): void {
    this.legend = legendOf(world);
    this.grid.setWorld(world);
    this.map.setMinZoom(Math.max(-(world.maxLod + levelsBeyond), -10));
    const low = Number(world.minBlockCoordinate);
    const high = Number(world.maxBlockCoordinate) + 1;
    this.map.setMaxBounds(L.latLngBounds(toLatLng(low, low), toLatLng(high, high)));
  }

  /** Takes over what the state says of all maps. */
  private follow(state: ViewState): void {
    const { legend } = this;
    if (!legend) return;
    const style = canShow(legend, state.layer) ? state.layer : 'height';
    this.land.setLook({ style, highlight: state.highlight, structures: state.structures });
    if (state.grid !== this.map.hasLayer(this.grid)) {
      if (state.grid) this.grid.addTo(this.map);
      else this.grid.remove();
    }
    this.markers.show(state.structures);
    const fitting = Math.min(Math.max(state.zoom, this.map.getMinZoom()), maxZoom);
    if (fitting !== state.zoom) {
      // of a link, or of a world before: the scale and the next link go by the state
      this.events.onMove(state.x, state.y, fitting);
      return;
    }
    // fingers that pinch are between two zooms
    const isOurs = state.zoom === this.map.getZoom();
    const zoom = isOurs ? state.zoom : Math.round(state.zoom);
    const middle = this.map.getCenter();
    const off = Math.hypot(middle.lng - state.x, middle.lat - state.y) * 2 ** zoom; // pixels
    if (zoom === this.map.getZoom() && off < 1) return;
    this.quietly(() => {
      this.map.setView(toLatLng(state.x, state.y), zoom, { animate: false });
    });
  }

  /** Does something to the map that the state says, and that it need not be told. */
  private quietly(change: () => void): void {
    this.isFollowing = true;
    change();
    this.isFollowing = false;
  }

  private listen(): void {
    const { map, events } = this;
    const tell = (): void => {
      this.land.refresh();
      if (this.isFollowing) return;
      const { lat, lng } = map.getCenter();
      events.onMove(lng, lat, map.getZoom());
    };
    map.on('move', tell);
    map.on('moveend zoomend', () => {
      tell();
      this.markers.refresh();
    });
    const point = ({ lng, lat }: L.LatLng): void => events.onPoint(this, { x: lng, y: lat });
    // not Leaflet's own: above its canvas it leaves some out, and the last may be one of them
    map
      .getContainer()
      .addEventListener('mousemove', (event) => point(map.mouseEventToLatLng(event)));
    map.on('click', (event: L.LeafletMouseEvent) => point(event.latlng));
    map.on('mouseout', () => events.onPoint(this, undefined));
    map.on('contextmenu', () => {}); // a long touch is none of the browser's
  }
}
