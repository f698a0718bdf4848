import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClientHalf, type Conversation, type Event, readConversations } from './conversation.js';

const inputs = new Set(['move', 'poll', '<', 'end']);
const ofServer = new Set(['server', 'gone']);
const line = ({ at, what, details }: Event): string => `${at} ${what} ${details}`;

/** Gives the client what the conversation says happens to it, and compares what it does. */
function replay(conversation: Conversation): void {
  const client = new ClientHalf(conversation);
  const did: Event[] = [];
  for (const event of conversation.events) {
    if (ofServer.has(event.what)) continue;
    if (inputs.has(event.what)) {
      assert.deepEqual(did.map(line), [], 'not recorded');
      did.push(...client.take(event), ...client.drive(event.at));
      continue;
    }
    if (did.length === 0) did.push(...client.drive(event.at));
    const next = did.shift();
    assert.equal(next === undefined ? 'nothing' : line(next), line(event));
  }
  assert.deepEqual(did.map(line), [], 'not recorded');
}

const conversations = readConversations().filter(({ settings }) =>
  settings.get('replays')?.split(' ').includes('client'),
);

test('there are conversations that clients replay', () => {
  assert.ok(conversations.length >= 18, `${conversations.length}`);
});

for (const conversation of conversations) {
  test(`says what is recorded in ${conversation.name}, message for message`, () => {
    replay(conversation);
  });
}
