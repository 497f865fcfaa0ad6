import { describe, expect, it } from 'vitest';
import { openShop } from '../arbiter/shop.js';
import {
  decisionOf,
  openAgentShop,
  REFUSED,
  ALLOWED,
  reasonOf,
  say,
  sentTo,
} from './agent-shop.js';

const shop = await openAgentShop();
const sent = sentTo(shop);

describe('versions', () => {
  const id = 'no-such-task';
  it.each([
    ['1.0', undefined, 404, -32001],
    ['1.0.7', undefined, 404, -32001],
    [null, undefined, 404, -32601],
    ['0.3', undefined, 404, -32601],
    ['0.3.9', undefined, 404, -32601],
    [null, '1.0', 404, -32001],
    ['', '1.0', 404, -32001],
    ['0.3', '1.0', 404, -32601],
    ['2.0', undefined, 400, -32009],
    ['1.1', '1.0', 400, -32009],
    ['latest', undefined, 400, -32009],
  ])('header %j, query %j: REST %i, JSON-RPC %i', async (version, query, status, code) => {
    const search = query === undefined ? '' : `?A2A-Version=${query}`;
    const rest = await shop.ask2({ path: `/a2a/v1/tasks/${id}${search}`, version });
    expect(rest.status).toBe(status);
    const rpc = await shop.rpc('GetTask', { id }, { version, path: `/a2a/rpc${search}` });
    expect([rpc.status, rpc.body.id, rpc.body.error.code]).toEqual([200, 7, code]);
    if (status === 400) {
      expect(reasonOf(rest)).toBe('VERSION_NOT_SUPPORTED');
      expect(reasonOf(rpc)).toBe('VERSION_NOT_SUPPORTED');
    }
  });

  it('answer in their own form and media type', async () => {
    const one = await shop.send(say(REFUSED));
    expect(one.headers['content-type']).toBe('application/a2a+json');
    const old = await shop.ask2({
      method: 'POST',
      path: '/a2a/v1/message:send',
      body: {
        message: { message_id: 'm', role: 'ROLE_USER', content: [{ data: { data: REFUSED } }] },
      },
    });
    expect(old.headers['content-type']).toMatch(/^application\/json/);
    expect(old.body.task.status).toMatchObject({
      state: 'TASK_STATE_REJECTED',
      message: { role: 'ROLE_AGENT', metadata: { code: 'arbiter_refused' } },
    });
    const typed = await shop.send(say('chai'), {
      headers: { 'content-type': 'application/a2a+json' },
    });
    expect(typed.status).toBe(200);
    const parts = [{ type: 'text', text: 'chai' }];
    const draft = { message: { messageId: 'd', role: 'user', parts } };
    const older = await shop.rpc('message/send', draft, { version: null });
    expect(older.body.result.kind).toBe('message');
  });
});

describe('extensions', () => {
  const uri = 'urn:commerce-arbiter:a2a:decision:1';
  it('that are known are told back, under the name of the version', async () => {
    const named = `urn:other, ${uri}`;
    const one = await shop.send(say('chai'), { headers: { 'a2a-extensions': named } });
    expect(one.headers['a2a-extensions']).toBe(uri);
    const rpc = await shop.rpc('GetTask', { id: 'x' }, { headers: { 'a2a-extensions': named } });
    expect(rpc.headers['a2a-extensions']).toBe(uri);
    const old = await shop.rpc(
      'message/send',
      { message: { messageId: 'e', role: 'user', parts: [{ kind: 'text', text: 'chai' }] } },
      { version: '0.3', headers: { 'x-a2a-extensions': named } },
    );
    expect(old.headers['x-a2a-extensions']).toBe(uri);
    const others = Array.from({ length: 32 }, (_, index) => `urn:${index}`).join();
    for (const unread of ['urn:other', `${others},${uri}`]) {
      const none = await shop.send(say('chai'), { headers: { 'a2a-extensions': unread } });
      expect(none.headers['a2a-extensions']).toBeUndefined();
    }
  });
});

describe('what is malformed', () => {
  const rest = (
    raw: string,
    headers: Record<string, string> = {},
    version: string | null = '1.0',
  ) => shop.ask2({ method: 'POST', path: '/a2a/v1/message:send', raw, headers, version });
  const rpc = (raw: string, headers: Record<string, string> = {}) =>
    shop.ask2({ method: 'POST', path: '/a2a/rpc', raw, headers, version: '1.0' });

  it('is an error of the protocol, with its reason', async () => {
    const cases: [string, Record<string, string>, number, string, number][] = [
      ['{', {}, 400, 'INVALID_ARGUMENT', -32700],
      ['', {}, 400, 'INVALID_ARGUMENT', -32700],
      ['{"a":1,"a":2}', {}, 400, 'INVALID_ARGUMENT', -32700],
      ['[]', {}, 400, 'INVALID_ARGUMENT', -32600],
      ['7', {}, 400, 'INVALID_ARGUMENT', -32600],
      ['{}', {}, 400, 'INVALID_ARGUMENT', -32600],
      ['x', { 'content-type': 'text/plain' }, 400, 'INVALID_ARGUMENT', -32005],
      ['x', { 'content-type': 'text/xml' }, 400, 'INVALID_ARGUMENT', -32005],
    ];
    for (const [raw, headers, status, name, code] of cases) {
      const one = await rest(raw, headers);
      expect([raw, one.status, one.body.error?.status]).toEqual([raw, status, name]);
      const two = await rpc(raw, headers);
      expect([raw, two.status, two.body.error?.code]).toEqual([raw, 200, code]);
      const old = await rest(raw, headers, null);
      expect([raw, old.status, typeof old.body.code]).toEqual([raw, 400, 'number']);
    }
    expect(reasonOf(await rest('x', { 'content-type': 'text/xml' }))).toBe(
      'CONTENT_TYPE_NOT_SUPPORTED',
    );
  });

  it('is told with field and fix where a member is wrong', async () => {
    const many = Array.from({ length: 33 }, (_, index) => `urn:${index}`);
    const wrong: [object, string][] = [
      [say(ALLOWED, { messageId: 'x'.repeat(256) }), '/message/messageId'],
      [say(ALLOWED, { messageId: 'a\u202eb' }), '/message/messageId'],
      [say(ALLOWED, { messageId: '' }), '/message/messageId'],
      [say(ALLOWED, { contextId: 'x'.repeat(256) }), '/message/contextId'],
      [say(ALLOWED, { role: 'ROLE_AGENT' }), '/message/role'],
      [say(ALLOWED, { parts: [] }), '/message/parts'],
      [say(ALLOWED, { parts: [{ data: ALLOWED }, { data: ALLOWED }] }), '/message/parts'],
      [
        say(ALLOWED, { parts: Array.from({ length: 17 }, () => ({ text: 'x' })) }),
        '/message/parts',
      ],
      [
        say('', { parts: [{ text: 'chai' }, { data: ALLOWED }, { data: ALLOWED }] }),
        '/message/parts',
      ],
      [say({ unknown: 1 }), '/message/parts'],
      [say({ flow: 'handoff' }), '/merchant_id'],
      [say({ ...ALLOWED, flow: 'refund' }), '/order_id'],
      [say({ query: '' }), '/message/parts/data/query'],
      [say({ product_id: 'x'.repeat(501) }), '/message/parts/data/product_id'],
      [say('x'.repeat(501)), '/message/parts'],
      [say('   '), '/message/parts'],
      [say('chai', { referenceTaskIds: many }), '/message'],
      [say('chai', { extensions: many }), '/message'],
      [say({ decision_id: 'nonsense' }), '/message/parts/data/decision_id'],
    ];
    for (const [message, field] of wrong) {
      const answer = await shop.send(message);
      const { metadata } = answer.body.error.details[0];
      expect([field, answer.status, metadata.field]).toEqual([field, 400, field]);
      expect(metadata.fix).not.toBe('');
      const over = await shop.rpc('SendMessage', { message });
      expect([field, over.body.error.code]).toEqual([field, -32602]);
    }
  });

  it('is a number of messages that is none', async () => {
    for (const historyLength of [-1, 1.5, 'many']) {
      const message = say('chai');
      for (const answer of [
        await shop.rpc('GetTask', { id: 'x', historyLength }),
        await shop.rpc('ListTasks', { historyLength }),
        await shop.rpc('SendMessage', { message, configuration: { historyLength } }),
      ])
        expect([historyLength, answer.body.error.code]).toEqual([historyLength, -32602]);
    }
  });

  it('names files as what they are', async () => {
    for (const part of [
      { url: 'https://x.example/a.png' },
      { raw: 'AAAA', mediaType: 'image/png' },
      {},
    ]) {
      const answer = await shop.send(say('', { parts: [part] }));
      expect([answer.status, reasonOf(answer)]).toEqual([400, 'CONTENT_TYPE_NOT_SUPPORTED']);
    }
  });

  it('is a decision that the caller may not see: as if it were not there', async () => {
    const { decision_id: id } = decisionOf(await sent(say(ALLOWED)));
    const other = await openShop(shop.service);
    const theirs = await other.ask(ALLOWED);
    for (const decision of ['arbdec_000000000000', theirs.body.decision_id]) {
      const answer = await shop.send(say({ decision_id: decision }));
      expect(answer.body.error.details[0].metadata.code).toBe('not_found');
    }
    const why = await shop.send(say({ decision_id: id }), { apiKey: shop.apiKeys.tenant_admin });
    const [, data] = why.body.message.parts;
    expect(data.data).toMatchObject({ decision_id: id, trace: expect.any(Array) });
  });

  it('is not offered: streams, and a card behind a key', async () => {
    const answers = [
      await shop.ask2({ method: 'POST', path: '/a2a/v1/message:stream', version: '1.0', body: {} }),
      await shop.ask2({ method: 'POST', path: '/a2a/v1/tasks/x:subscribe', version: '1.0' }),
      await shop.ask2({ method: 'GET', path: '/a2a/v1/tasks/x:subscribe', version: '1.0' }),
      await shop.ask2({ path: '/a2a/v1/extendedAgentCard', version: '1.0' }),
    ];
    for (const answer of answers)
      expect([answer.status, reasonOf(answer)]).toEqual([400, 'UNSUPPORTED_OPERATION']);
    for (const [method, version] of [
      ['SendStreamingMessage', '1.0'],
      ['SubscribeToTask', '1.0'],
      ['message/stream', '0.3'],
      ['tasks/resubscribe', '0.3'],
    ] as const) {
      const parts = version === '1.0' ? [{ text: 'x' }] : [{ kind: 'text', text: 'x' }];
      const message = { messageId: 'x', role: version === '1.0' ? 'ROLE_USER' : 'user', parts };
      const answer = await shop.rpc(method, { id: 'x', message }, { version });
      expect([method, answer.body.error.code]).toEqual([method, -32004]);
    }
  });
});
