import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quality } from '../viewer/scene/quality.js';

/** Draws frames for so many seconds, each of which takes `took` milliseconds. */
class Clock {
  now = 0;

  constructor(readonly quality: Quality) {}

  run(seconds: number, took: number, moves: boolean, waits = false): void {
    const end = this.now + seconds * 1000;
    while (this.now < end) {
      this.now += took;
      this.quality.frame({ now: this.now, took, moves, waits });
    }
  }
}

test('where frames come in time the picture has all pixels and is fine, moving or not', () => {
  const clock = new Clock(new Quality(false));
  for (const moves of [true, false, true]) {
    clock.run(5, 16, moves);
    assert.equal(clock.quality.sharpness, 1);
  }
  assert.equal(clock.quality.tolerance, 1);
});

test('while frames are slow it loses pixels, but not below half of them along an edge', () => {
  const clock = new Clock(new Quality(false));
  clock.run(2, 120, true);
  assert.ok(clock.quality.sharpness < 1);
  clock.run(60, 120, true);
  assert.equal(clock.quality.sharpness, 0.5);
  assert.equal(clock.quality.tolerance, 4);
});

test('once the eye stands still and all has come, it has nearly all pixels, however slow', () => {
  const clock = new Clock(new Quality(true));
  clock.run(3, 120, true);
  assert.equal(clock.quality.sharpness, 0.5);
  clock.run(0.4, 100, false);
  assert.equal(clock.quality.sharpness, 0.5, 'not at once');
  clock.run(1, 100, false, true);
  assert.equal(clock.quality.sharpness, 0.5, 'not while land is on its way');
  clock.run(0.3, 100, false);
  assert.equal(clock.quality.sharpness, 0.8);
  clock.run(0.1, 100, true);
  assert.equal(clock.quality.sharpness, 0.5, 'and gives them up with the first move');
});

test('how slow a sharp picture of a still land is changes nothing of the next move', () => {
  const clock = new Clock(new Quality(true));
  clock.run(1, 20, true);
  clock.run(0.5, 20, false);
  const { sharpness, tolerance } = clock.quality;
  assert.ok(sharpness > 0.5 && sharpness < 1, `${sharpness}`);
  clock.run(0.1, 40, false);
  assert.ok(clock.quality.sharpness >= 0.8);
  clock.run(20, 300, false);
  assert.equal(clock.quality.tolerance, tolerance);
  clock.run(0.04, 40, true);
  assert.equal(clock.quality.sharpness, sharpness);
});

test('between slow and fast nothing changes', () => {
  const clock = new Clock(new Quality(false));
  clock.run(30, 45, true);
  assert.equal(clock.quality.sharpness, 1);
  assert.equal(clock.quality.tolerance, 1.6);
});

test('one long frame, as when land is loaded, costs no pixel', () => {
  const clock = new Clock(new Quality(false));
  clock.run(3, 30, true);
  clock.run(0.1, 400, true);
  clock.run(3, 30, true);
  assert.equal(clock.quality.sharpness, 1);
});
