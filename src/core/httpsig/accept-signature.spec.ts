import { describe, expect, it } from 'vitest';
import { acceptSignature, readAcceptSignature, TAP_BROWSE_TAG } from './index.js';

describe('Accept-Signature', () => {
  it.each([
    [
      { routeKind: 'read', hasBody: false, hasQuery: false } as const,
      'sig1=("@method" "@authority" "@path" "signature-agent";key="sig1");created;expires;keyid;tag="web-bot-auth"',
    ],
    [
      { routeKind: 'write', hasBody: true, hasQuery: true, nonce: 'n1' } as const,
      'sig1=("@method" "@authority" "@path" "@query" "content-digest" "signature-agent";key="sig1");created;expires;keyid;nonce="n1";tag="web-bot-auth"',
    ],
    [
      {
        routeKind: 'a2a',
        hasBody: false,
        hasQuery: false,
        label: 'tap',
        tag: TAP_BROWSE_TAG,
      } as const,
      'tap=("@method" "@authority" "@path");created;expires;keyid;alg;nonce;tag="agent-browser-auth"',
    ],
  ])('of %j', (wanted, expected) => {
    expect(acceptSignature(wanted)).toBe(expected);
  });

  it('is read by who signs', () => {
    const text = acceptSignature({
      routeKind: 'write',
      hasBody: true,
      hasQuery: false,
      nonce: 'n1',
    });
    const read = readAcceptSignature(text);
    expect(
      read.ok &&
        read.value.map(({ label, components }) => [label, components.map((part) => part.text)]),
    ).toEqual([
      [
        'sig1',
        [
          '"@method"',
          '"@authority"',
          '"@path"',
          '"content-digest"',
          '"signature-agent";key="sig1"',
        ],
      ],
    ]);
    expect(read.ok && [...(read.value[0]?.parameters ?? [])]).toEqual([
      ['created', true],
      ['expires', true],
      ['keyid', true],
      ['nonce', 'n1'],
      ['tag', 'web-bot-auth'],
    ]);
  });

  it.each([
    ['no dictionary', '"x"', 'malformed_header'],
    ['no list', 'a=1', 'malformed_header'],
    ['a label twice', 'a=(), a=()', 'duplicate_label'],
    ['an unknown component', 'a=("@x")', 'bad_component'],
    ['too long', `a=();x="${'a'.repeat(4_096)}"`, 'malformed_header'],
  ])('%s is refused', (_name, text, reason) => {
    expect(readAcceptSignature(text)).toMatchObject({ ok: false, error: { reason } });
  });
});
