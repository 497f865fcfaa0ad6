import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openAgentShop, say } from './agent-shop.js';

const shop = await openAgentShop();
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 120);
const options = { seed: SEED, numRuns: RUNS, endOnFailure: true };

const version = fc.constantFrom('1.0', '0.3', null, '1.0.1', '9', 'x');
const path = fc.constantFrom(
  '/a2a/v1/message:send',
  '/a2a/v1/message:stream',
  '/a2a/v1/tasks/x:cancel',
  '/a2a/v1/tasks/x:subscribe',
  '/a2a/v1/tasks/x/pushNotificationConfigs',
  '/a2a/rpc',
);
const method = fc.constantFrom(
  ...['SendMessage', 'GetTask', 'ListTasks', 'CancelTask', 'GetExtendedAgentCard'],
  ...['CreateTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs', 'constructor', ''],
  ...['message/send', 'tasks/get', 'tasks/cancel', 'tasks/pushNotificationConfig/set'],
  ...['tasks/pushNotificationConfig/get', 'agent/getAuthenticatedExtendedCard', 'toString'],
);
const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, '', 0, -1, 1e308, [], {}, 'ROLE_USER', 'user', '\u202e', 'x'.repeat(300)),
);

/** Objects that are nearly messages: each member may be missing or of any form. */
const part = fc.oneof(
  odd,
  fc.record(
    {
      kind: odd,
      text: odd,
      data: odd,
      raw: odd,
      url: odd,
      file: odd,
      metadata: odd,
      mediaType: odd,
    },
    { requiredKeys: [] },
  ),
);
const message = fc.oneof(
  odd,
  fc.record(
    {
      messageId: fc.oneof(fc.uuid(), odd),
      role: fc.oneof(fc.constantFrom('ROLE_USER', 'user'), odd),
      parts: fc.oneof(fc.array(part, { maxLength: 4 }), odd),
      content: fc.oneof(fc.array(part, { maxLength: 4 }), odd),
      contextId: odd,
      taskId: odd,
      metadata: odd,
      extensions: odd,
      referenceTaskIds: odd,
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  ),
);
const params = fc.oneof(
  odd,
  fc.record(
    {
      message,
      request: message,
      id: odd,
      taskId: odd,
      tenant: odd,
      pageSize: odd,
      pageToken: odd,
      status: odd,
      historyLength: odd,
      statusTimestampAfter: odd,
      contextId: odd,
      url: odd,
      token: odd,
      authentication: odd,
      config: odd,
      pushNotificationConfig: odd,
      configuration: fc.oneof(
        odd,
        fc.record(
          {
            historyLength: odd,
            taskPushNotificationConfig: odd,
            pushNotification: odd,
            blocking: odd,
          },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
);

/** Bad input is never an error of ours: no 500, and no "internal error" inside an answer. */
function faultOf(answer: { status: number; body: unknown }): string | null {
  if (answer.status >= 500) return `status ${answer.status}: ${JSON.stringify(answer.body)}`;
  const text = JSON.stringify(answer.body);
  return text.includes('-32603') ? text : null;
}

describe(`whatever is sent (seed ${SEED})`, () => {
  it('as a body of any route is never an error of ours', async () => {
    await fc.assert(
      fc.asyncProperty(path, version, params, async (to, spoken, body) => {
        const answer = await shop.ask2({ method: 'POST', path: to, version: spoken, body });
        expect(faultOf(answer)).toBeNull();
      }),
      options,
    );
  });

  it('as parameters of any method is never an error of ours', async () => {
    await fc.assert(
      fc.asyncProperty(method, version, params, async (name, spoken, sent) => {
        const answer = await shop.rpc(name, sent, { version: spoken });
        expect(faultOf(answer)).toBeNull();
      }),
      options,
    );
  });

  it('as bytes, headers, paths and queries is never an error of ours', async () => {
    const word = fc.stringMatching(/^[ -~]{0,40}$/);
    const named = fc.constantFrom(
      ...[
        'a2a-version',
        'a2a-extensions',
        'x-a2a-extensions',
        'content-type',
        'authorization',
        'host',
      ],
    );
    const headers = fc.dictionary(named, word, { maxKeys: 3 });
    const bytes = fc.oneof(
      fc.string(),
      fc.uint8Array({ maxLength: 60 }).map((raw) => Buffer.from(raw)),
    );
    const place = fc
      .tuple(
        fc.constantFrom('tasks', 'tasks/', 'message:send', 'card', ':', 'tasks/a:b:cancel'),
        word,
        word,
      )
      .map(
        ([start, rest, query]) =>
          `/a2a/v1/${start}${encodeURI(rest)}?${encodeURIComponent(query)}=${encodeURIComponent(rest)}`,
      );
    await fc.assert(
      fc.asyncProperty(place, headers, bytes, async (to, more, raw) => {
        for (const name of ['GET', 'POST', 'DELETE'])
          expect(
            faultOf(await shop.ask2({ method: name, path: to, headers: more, raw })),
          ).toBeNull();
        const rpc = await shop.ask2({ method: 'POST', path: '/a2a/rpc', headers: more, raw });
        expect(faultOf(rpc)).toBeNull();
      }),
      options,
    );
  });

  it('as a question is answered, and asks for nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1, maxLength: 120, unit: 'grapheme' }),
        async (words) => {
          const answer = await shop.send(say({ query: words }), { apiKey: null });
          expect(faultOf(answer)).toBeNull();
          expect([200, 400]).toContain(answer.status);
        },
      ),
      options,
    );
  });
});
