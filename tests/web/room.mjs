// What all tests of the viewer share: one server, one browser, from the first test to the last.
import { after, before } from 'node:test';
import { openBrowser } from './browser.mjs';
import { startServer } from './server.mjs';

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
