import { generateKeyPairSync, sign, verify } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { drawSecret, printSecret, signedContent, webhookHeaders } from './signature.js';

const message = { messageId: 'msg_1', atMs: Date.now(), payload: '{"type":"a.b","data":"é€😀"}' };
const pair = generateKeyPairSync('ed25519');
const ed25519 = sign(null, signedContent(message), pair.privateKey);

describe('webhookHeaders', () => {
  const old = drawSecret();
  const current = drawSecret();
  const headers = webhookHeaders(message, { secrets: [current, old], ed25519 });

  it.each([
    ['the new secret', current],
    ['the old secret', old],
  ])('an independent verifier accepts them with %s', (_name, secret) => {
    const verifier = new Webhook(printSecret(secret));
    expect(verifier.verify(message.payload, headers)).toEqual(JSON.parse(message.payload));
  });

  it.each([
    ['another body', () => ({ body: `${message.payload} `, changed: {} })],
    ['another id', () => ({ body: message.payload, changed: { 'webhook-id': 'msg_2' } })],
    [
      'another time',
      () => ({
        body: message.payload,
        changed: { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) },
      }),
    ],
  ])('it refuses %s', (_name, forged) => {
    const { body, changed } = forged();
    const verifier = new Webhook(printSecret(current));
    expect(() => verifier.verify(body, { ...headers, ...changed })).toThrow('No matching');
  });

  it('it refuses a secret that does not sign', () => {
    expect(() => new Webhook(printSecret(drawSecret())).verify(message.payload, headers)).toThrow();
  });

  it('the last signature is Ed25519 over the same content', () => {
    const last = headers['webhook-signature']?.split(' ').at(-1) ?? '';
    expect(last).toMatch(/^v1a,/);
    const signature = Buffer.from(last.slice('v1a,'.length), 'base64');
    const { messageId, payload } = message;
    const content = Buffer.from(`${messageId}.${headers['webhook-timestamp']}.${payload}`);
    expect(verify(null, content, pair.publicKey, signature)).toBe(true);
  });
});
