// What the tests do in the 3-D view, and what they read from it.
const sceneMs = 60_000;

/** When the first land is drawn. */
export async function sceneOpened(page) {
  await page.waitForFunction(() => window.terraneScene?.tiles() > 0, undefined, {
    timeout: sceneMs,
  });
}

/** When all of the land in view has come and is drawn. */
export function sceneSettled(page) {
  return page.evaluate(() => window.terraneScene.settled());
}

/** Where the eye is. */
export function eyeOf(page) {
  return page.evaluate(() => window.terraneScene.eye());
}

/** How high the ground is at some blocks: numbers, or undefined where there is none yet. */
export function groundAt(page, blocks) {
  return page.evaluate(
    (all) => all.map(([x, y]) => window.terraneScene.heightAt(x, y)),
    blocks,
  );
}
