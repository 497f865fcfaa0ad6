import { describe, expect, it } from 'vitest';
import {
  AGENT_LINE,
  NOW,
  shopRequest,
  signedRequest,
  TAP_COVERED,
  tapParameters,
  testKey,
  withHeaders,
} from '../../../test/httpsig/signed-requests.js';
import { basesOf, explainBase } from './index.js';

const BASE = [
  '"@method": POST',
  '"@authority": shop.example',
  '"@path": /a%27b',
  '"@query": ?x=it%27s',
  '"@target-uri": https://shop.example/a%27b',
  '"accept": a, b',
  '"content-digest": sha-256=:AAAA:',
  '"@signature-params": ("@method" "@path");created=1;expires=2;keyid="k"',
];
const OURS = BASE.join('\n');

/** The base of a signer that writes one line otherwise; null leaves it out. */
function withLine(line: number, text: string | null): string {
  return BASE.flatMap((old, index) =>
    index + 1 !== line ? [old] : text === null ? [] : [text],
  ).join('\n');
}

describe('two bases', () => {
  it('that are the same', () => {
    expect(explainBase(OURS, OURS)).toMatchObject({
      same: true,
      first: null,
      cause: null,
      advice: null,
    });
    expect(explainBase(OURS, OURS).lines).toHaveLength(BASE.length);
  });

  it.each([
    ['carriage_returns', BASE.join('\r\n'), 1],
    ['newline_at_end', `${OURS}\n`, 9],
    ['parameters_missing', withLine(8, null), 8],
    ['label_in_parameters', withLine(8, `"@signature-params": sig1=${BASE[7]?.slice(21)}`), 8],
    [
      'parameters_spaced',
      withLine(8, '"@signature-params": ("@method" "@path"); created=1; expires=2; keyid="k"'),
      8,
    ],
    [
      'parameters_reordered',
      withLine(8, '"@signature-params": ("@method" "@path");keyid="k";created=1;expires=2'),
      8,
    ],
    [
      'parameters_differ',
      withLine(8, '"@signature-params": ("@method" "@path");created=7;expires=2;keyid="k"'),
      8,
    ],
    ['name_unquoted', withLine(1, '@method: POST'), 1],
    ['name_unquoted', withLine(6, '"Accept": a, b'), 6],
    ['method_case', withLine(1, '"@method": post'), 1],
    ['value_differs', withLine(1, '"@method": GET'), 1],
    ['authority_case', withLine(2, '"@authority": Shop.Example'), 2],
    ['default_port', withLine(2, '"@authority": shop.example:443'), 2],
    ['authority_differs', withLine(2, '"@authority": internal'), 2],
    ['query_in_path', withLine(3, '"@path": /a%27b?x=it%27s'), 3],
    ['url_rewritten', withLine(3, '"@path": /c/../a\'b'), 3],
    ['value_differs', withLine(3, '"@path": /other'), 3],
    ['query_without_mark', withLine(4, '"@query": x=it%27s'), 4],
    ['url_rewritten', withLine(4, '"@query": ?x=it\'s'), 4],
    ['scheme_differs', withLine(5, '"@target-uri": http://shop.example/a%27b'), 5],
    ['url_rewritten', withLine(5, '"@target-uri": https://shop.example/a\'b'), 5],
    ['outer_space', withLine(6, '"accept":  a, b'), 6],
    ['lines_joined', withLine(6, '"accept": a,b'), 6],
    ['value_differs', withLine(6, '"accept": a'), 6],
    ['other_content', withLine(7, '"content-digest": sha-256=:BBBB:'), 7],
    ['component_missing', withLine(2, null), 2],
    ['component_added', withLine(2, `${BASE[1]}\n"host": shop.example`), 3],
    ['components_reordered', [BASE[1], BASE[0], ...BASE.slice(2)].join('\n'), 1],
  ])('differ: %s', (cause, expected, line) => {
    const explained = explainBase(OURS, expected);
    expect(explained).toMatchObject({ same: false, cause, first: { line } });
    expect(explained.advice).toMatch(/\.$/);
    expect(explained.lines.findIndex(({ same }) => !same)).toBe(line - 1);
  });

  it('the first different character is counted from one', () => {
    expect(explainBase(OURS, withLine(3, '"@path": /a%2')).first).toEqual({
      line: 3,
      character: 14,
      component: '"@path"',
    });
    expect(explainBase('"a";key="x: y": 1', '"a";key="x: y": 2').first).toEqual({
      line: 1,
      character: 17,
      component: '"a";key="x: y"',
    });
  });

  it('of any text are compared', () => {
    for (const text of ['', '\n', 'no line of a base', '"@path": %', '"@query": ?%ff'])
      expect(explainBase(OURS, text)).toMatchObject({ same: false });
    expect(explainBase('"@path": //', '"@path": http://[').cause).toBe('value_differs');
  });
});

describe('the bases of a message', () => {
  const key = testKey();

  it('are those that were signed', () => {
    const parameters = tapParameters(key);
    const request = signedRequest(withHeaders(shopRequest(), [AGENT_LINE]), key, {
      components: [...TAP_COVERED, '"signature-agent";key="sig1"'],
      parameters,
    });
    const [found] = basesOf(request);
    expect(found).toMatchObject({ label: 'sig1', fault: null });
    expect(found?.base).toBe(
      [
        '"@authority": shop.example',
        '"@path": /catalog.json',
        '"signature-agent";key="sig1": "https://agent.example"',
        `"@signature-params": ("@authority" "@path" "signature-agent";key="sig1");created=${NOW - 10};expires=${NOW + 200};keyid="${key.thumbprint}";alg="ed25519";nonce="nonce-of-this-test";tag="agent-browser-auth"`,
      ].join('\n'),
    );
  });

  it('are none for a label with a fault, and none for a header that does not come apart', () => {
    const lines = (input: string) =>
      withHeaders(shopRequest(), [
        ['Signature-Input', input],
        ['Signature', 'a=:AAAA:, b=:AAAA:'],
      ]);
    expect(basesOf(lines('a=("@path"), b=("x-none")'))).toEqual([
      { label: 'a', base: '"@path": /catalog.json\n"@signature-params": ("@path")', fault: null },
      {
        label: 'b',
        base: null,
        fault: { reason: 'component_not_in_message', detail: 'The message has no field "x-none".' },
      },
    ]);
    expect(basesOf(lines('a=("@path" "@path"), b=("@path")'))[0]).toMatchObject({
      base: null,
      fault: { reason: 'duplicate_component' },
    });
    expect(basesOf(lines('a=('))).toMatchObject([
      { label: null, base: null, fault: { reason: 'malformed_header' } },
    ]);
    expect(basesOf(shopRequest())).toEqual([]);
  });
});
