// What all tests of the viewer share: one server, one browser, from the first test to the last.
import { after, before, test as nodeTest } from 'node:test';
import { openBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

const mostMs = 150_000;

/** A test with an end: what waits for ever on a page fails by its own name. */
const endingTest = (name, run) => nodeTest(name, { timeout: mostMs }, run);

// TERRANE_LONG=1: the long tests alone, which `tests/run --long` has besides.
const long = process.env.TERRANE_LONG === '1';
export const test = long ? () => {} : endingTest;
export const longTest = long ? endingTest : () => {};

/** `room.server` and `room.browser`, once tests run. */
export const room = {};

before(async () => {
  room.server = await startServer();
  room.browser = await openBrowser();
});

after(async () => {
  await room.browser?.close();
  await room.server?.stop();
});
