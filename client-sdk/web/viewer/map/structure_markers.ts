/** A mark at every structure that the chunks at hand know of, with its plan when it is opened. */
import * as L from 'leaflet';
import type { Structure } from '../../src/index.js';
import type { App } from '../app.js';
import { toCss } from './paint/color.js';
import { planOf } from './plan.js';
import type { LandView } from './view.js';
import { toLatLng } from './view.js';

/** The coarsest level whose chunks hold structures. */
export const maxStructureLod = 4;
const mostMarkers = 600;
/** How far from the cross-hair a structure may be, in pixels. */
const keyReach = 60;

export class StructureMarkers {
  private readonly group = L.layerGroup();
  private readonly renderer = L.canvas({ padding: 0.3 });
  private shown: Structure[] = [];
  private isOn = false;
  private timer = 0;

  constructor(
    private readonly app: App,
    private readonly view: LandView,
  ) {}

  show(isOn: boolean): void {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    if (isOn) this.group.addTo(this.view.map);
    else this.group.remove();
    this.refresh();
  }

  /** Looks anew at what is at hand, a little later. */
  refresh(): void {
    if (this.timer) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      if (this.isOn && this.view.element.isConnected) this.place();
    }, 120);
  }

  /** Opens the one nearest to a place. @returns whether there is one */
  openNearest(at: L.LatLng): boolean {
    const { map } = this.view;
    const middle = map.latLngToContainerPoint(at);
    let best: { one: Structure; distance: number } | undefined;
    for (const one of this.shown) {
      const point = map.latLngToContainerPoint(toLatLng(one.x + 0.5, one.y + 0.5));
      const distance = point.distanceTo(middle);
      if (distance < (best?.distance ?? keyReach)) best = { one, distance };
    }
    if (best) this.open(best.one);
    return best !== undefined;
  }

  private place(): void {
    const found = this.inView();
    const isSame =
      found.length === this.shown.length && found.every((one, i) => one === this.shown[i]);
    if (isSame) return;
    this.shown = found;
    this.group.clearLayers();
    for (const one of found) this.group.addLayer(this.marker(one));
  }

  private inView(): Structure[] {
    const { map, bundles } = this.view;
    const lod = Math.max(-map.getZoom(), 0);
    if (!bundles || lod > maxStructureLod) return [];
    const bounds = map.getBounds().pad(0.2);
    const found: Structure[] = [];
    for (const bundle of bundles.all()) {
      if (bundle.lod !== lod) continue;
      for (const one of bundle.structures) {
        if (bounds.contains(toLatLng(one.x, one.y))) found.push(one);
        if (found.length === mostMarkers) return found;
      }
    }
    return found;
  }

  private marker(one: Structure): L.CircleMarker {
    const kind = this.view.legend?.world.structureKinds[one.kind];
    const marker = L.circleMarker(toLatLng(one.x + 0.5, one.y + 0.5), {
      renderer: this.renderer,
      radius: 5,
      color: '#fff',
      weight: 1.5,
      fillColor: toCss(kind?.color ?? 0xffffff),
      fillOpacity: 1,
    });
    marker.bindTooltip(kind?.name ?? 'structure', { direction: 'top', offset: [0, -6] });
    marker.on('click', (event) => {
      L.DomEvent.stopPropagation(event);
      this.open(one);
    });
    return marker;
  }

  private open(one: Structure): void {
    const { map, legend, bundles } = this.view;
    if (!legend || !bundles) return;
    const plan = planOf(this.app, bundles.variant, legend.world, one, () => popup.update());
    const popup = L.popup({ minWidth: 220, maxWidth: 320 })
      .setLatLng(toLatLng(one.x + 0.5, one.y + 0.5))
      .setContent(plan)
      .openOn(map);
  }
}
