import { describe, expect, it } from 'vitest';
import { AGENT_LINE, shopRequest } from '../../../test/httpsig/signed-requests.js';
import {
  componentValue,
  type FieldTypes,
  type HttpMessage,
  parseComponent,
  signatureBase,
} from './index.js';

const BODY = Buffer.from('x');
const request = shopRequest({
  method: 'POST',
  target: '/a%2fb/../c?x=1&y=it%27s&z=&z=2&bad=%zz&ff=%ff&%66=named&plus=a+b',
  authority: 'SHOP.example:443',
  body: BODY,
  headers: [
    ['Host', 'SHOP.example:443'],
    ['X-Space', ' \t inner  kept \t'],
    ['X-Fold', 'a\r\n  b\n\tc'],
    ['X-Empty', ''],
    ['X-Two', 'a'],
    ['x-two', ' b '],
    ['X-Latin', 'caf\u00e9'],
    ['X-Break', 'a\nb'],
    ['X-Nul', 'a\u0000b'],
    ['X-Dict', 'a=1,   b=2;x=1.5;y,  c=( p  q );k="v", flag, w=1.0, s="t"'],
    ['X-Dup', 'a=1, a=2'],
    ['Priority', 'u=1,   i'],
    ['Cache-Status', 'edge;hit ,  origin; fwd=uri-miss'],
    ['Idempotency-Key', '"k-1"'],
    ['Content-Digest', 'not a ( dictionary'],
    AGENT_LINE,
  ],
  trailers: [
    ['X-Trail', ' t '],
    ['X-Empty', 'of the trailer'],
  ],
});
const response: HttpMessage = {
  kind: 'response',
  status: 7,
  headers: [['X-R', 'r']],
  body: null,
  request,
};
const TYPES: FieldTypes = new Map([
  ['priority', 'dictionary'],
  ['cache-status', 'list'],
  ['idempotency-key', 'item'],
]);

function valueOf(text: string, message: HttpMessage = request): string {
  const component = parseComponent(text);
  if (!component.ok) return component.error.reason;
  const value = componentValue(message, component.value, TYPES);
  return value.ok ? `= ${value.value}` : value.error.reason;
}

describe('the value of a component', () => {
  it.each([
    ['@method', '= POST'],
    ['@scheme', '= https'],
    ['@authority', '= shop.example'],
    ['@path', '= /a%2fb/../c'],
    ['@query', '= ?x=1&y=it%27s&z=&z=2&bad=%zz&ff=%ff&%66=named&plus=a+b'],
    ['"@query-param";name="x"', '= 1'],
    ['"@query-param";name="y"', '= it%27s'],
    ['"@query-param";name="bad"', '= %25zz'],
    ['"@query-param";name="f"', '= named'],
    ['"@query-param";name="plus"', '= a%20b'],
    ['x-space', '= inner  kept'],
    ['x-fold', '= a b c'],
    ['x-empty', '= '],
    ['x-two', '= a, b'],
    ['"x-two";bs', '= :YQ==:, :Yg==:'],
    ['"x-latin";bs', `= :${Buffer.from('caf\u00e9', 'latin1').toString('base64')}:`],
    ['"x-dict";key="a"', '= 1'],
    ['"x-dict";key="b"', '= 2;x=1.5;y'],
    ['"x-dict";key="c"', '= (p q);k="v"'],
    ['"x-dict";key="flag"', '= ?1'],
    ['"x-dict";key="s"', '= "t"'],
    ['"x-dup";key="a"', '= 2'],
    ['"priority";sf', '= u=1, i'],
    ['"priority";sf;key="u"', '= 1'],
    ['"cache-status";sf', '= edge;hit, origin;fwd=uri-miss'],
    ['"idempotency-key";sf', '= "k-1"'],
    ['"x-trail";tr', '= t'],
    ['"x-empty";tr', '= of the trailer'],
  ])('%s %s', (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it.each([
    ['@status', '= 007'],
    ['x-r', '= r'],
    ['"@method";req', '= POST'],
    ['"x-dict";req;key="a"', '= 1'],
    ['"@query-param";name="x";req', '= 1'],
    ['"x-empty";tr;req', '= of the trailer'],
  ])('of a response: %s %s', (text, expected) => {
    expect(valueOf(text, response)).toBe(expected);
  });
});

describe('a component that gives no line', () => {
  it.each([
    ['no such field', 'x-absent', 'component_not_in_message'],
    ['a header is no trailer', '"x-two";tr', 'component_not_in_message'],
    ['no such parameter of the query', '"@query-param";name="q"', 'component_not_in_message'],
    [
      'a name that is not in its encoded form',
      '"@query-param";name="X"',
      'component_not_in_message',
    ],
    ['twice in the query', '"@query-param";name="z"', 'bad_component'],
    ['no UTF-8 in the query', '"@query-param";name="ff"', 'bad_component'],
    ['query-param without a name', '@query-param', 'bad_component'],
    ['a name elsewhere', '"@path";name="x"', 'bad_component'],
    ['bytes outside of ASCII', 'x-latin', 'bad_component'],
    ['a line break', 'x-break', 'bad_component'],
    ['a line break, even wrapped', '"x-break";bs', 'bad_component'],
    ['a NUL', 'x-nul', 'bad_component'],
    ['no such member', '"x-dict";key="z"', 'component_not_in_message'],
    ['a decimal that would be written as an integer', '"x-dict";key="w"', 'bad_component'],
    ['no dictionary', '"content-digest";key="sha-256"', 'bad_component'],
    ['key of a list', '"cache-status";key="edge"', 'bad_component'],
    ['sf of a field of unknown type', '"x-two";sf', 'bad_component'],
    ['sf and bs', '"priority";sf;bs', 'bad_component'],
    ['key and bs', '"priority";key="u";bs', 'bad_component'],
    ['sf of a derived one', '"@path";sf', 'bad_component'],
    ['key of a derived one', '"@path";key="a"', 'bad_component'],
    ['bs of a derived one', '"@path";bs', 'bad_component'],
    ['tr of a derived one', '"@path";tr', 'bad_component'],
    ['an unknown parameter', '"x-two";zz', 'bad_component'],
    ['a flag with a value', '"x-two";bs=1', 'bad_component'],
    ['a flag that is false', '"x-two";bs=?0', 'bad_component'],
    ['a key that is a token', '"x-dict";key=a', 'bad_component'],
    ['a parameter twice', '"x-two";bs;bs', 'bad_component'],
    ['upper case', 'X-Two', 'bad_component'],
    ['an unknown derived one', '@host', 'bad_component'],
    ['the signature parameters', '@signature-params', 'bad_component'],
    ['no field name', '"x two"', 'bad_component'],
    ['an empty name', '""', 'bad_component'],
    ['a name too long', `x-${'a'.repeat(255)}`, 'bad_component'],
    ['the longest name', `x-${'a'.repeat(254)}`, 'component_not_in_message'],
    ['a key too long', `"x-dict";key="${'a'.repeat(257)}"`, 'bad_component'],
    ['a token', '"x-two" ', '= a, b'],
    ['req in a request', '"x-two";req', 'bad_component'],
    ['req of a derived one in a request', '"@method";req', 'bad_component'],
    ['status in a request', '@status', 'bad_component'],
    ['no string', '"x-two', 'malformed_header'],
  ])('%s: %s', (_why, text, reason) => {
    expect(valueOf(text)).toBe(reason);
  });

  it.each([
    ['@method', 'bad_component'],
    ['@authority', 'bad_component'],
    ['"@status";req', 'bad_component'],
    ['"@method"', 'bad_component'],
    ['"x-absent";req', 'component_not_in_message'],
  ])('of a response: %s', (text, reason) => {
    expect(valueOf(text, response)).toBe(reason);
  });

  it.each([
    ['"priority";sf', 'Priority', 'u=1.0'],
    ['"priority";sf', 'Priority', 'u=(1 2.00)'],
    ['"priority";sf', 'Priority', 'u;p=%"%c3%a9"'],
    ['"cache-status";sf', 'Cache-Status', 'a, 1.0'],
    ['"cache-status";sf', 'Cache-Status', 'a;x=-0.0'],
    ['"idempotency-key";sf', 'Idempotency-Key', '1.0'],
    ['"priority";sf', 'Priority', 'not a ( dictionary'],
    ['"cache-status";sf', 'Cache-Status', 'a,'],
    ['"idempotency-key";sf', 'Idempotency-Key', 'a b'],
  ])('%s of %s: %s', (text, name, value) => {
    expect(valueOf(text, shopRequest({ headers: [[name, value]] }))).toBe('bad_component');
    expect(valueOf(`"${name.toLowerCase()}"`, shopRequest({ headers: [[name, value]] }))).toBe(
      `= ${value}`,
    );
  });

  it('req of a response whose request is not known', () => {
    expect(valueOf('"@method";req', { ...response, request: null })).toBe(
      'component_not_in_message',
    );
  });

  it.each([
    ['', 'component_not_in_message'],
    ['a b', 'component_not_in_message'],
    ['user@host', 'component_not_in_message'],
    ['host/path', 'component_not_in_message'],
    ['host:port', 'component_not_in_message'],
    [`${'a'.repeat(513)}`, 'component_not_in_message'],
    [`${'a'.repeat(512)}`, `= ${'a'.repeat(512)}`],
    ['[::1]:8443', '= [::1]:8443'],
    ['HOST.example:80', '= host.example:80'],
    ['host:443', '= host'],
  ])('the authority %j', (authority, expected) => {
    expect(valueOf('@authority', { ...request, authority })).toBe(expected);
  });

  it('80 is the default port of http, and 443 is not', () => {
    expect(valueOf('@authority', { ...request, scheme: 'HTTP', authority: 'h:80' })).toBe('= h');
    expect(valueOf('@authority', { ...request, scheme: 'http', authority: 'h:443' })).toBe(
      '= h:443',
    );
  });
});

describe('the base', () => {
  const components = (texts: readonly string[]) =>
    texts.map((text) => {
      const component = parseComponent(text);
      if (!component.ok) throw new Error(component.error.detail);
      return component.value;
    });

  it('has a line for each component, then the parameters, and ends without a line break', () => {
    const subject = {
      components: components(['@method', 'x-empty']),
      parametersText: '("@method" "x-empty");created=1',
    };
    expect(signatureBase(request, subject)).toEqual({
      ok: true,
      value: '"@method": POST\n"x-empty": \n"@signature-params": ("@method" "x-empty");created=1',
    });
  });

  it.each([
    [['@path', '@path'], 'duplicate_component'],
    [['"x-dict";key="a"', '"x-dict";key="a"'], 'duplicate_component'],
    [['"x-two";bs;tr', '"x-two";tr;bs'], 'duplicate_component'],
    [Array.from({ length: 33 }, (_, index) => `x-${index}`), 'malformed_header'],
  ])('is not made of %j', (texts, reason) => {
    const subject = { components: components(texts), parametersText: '()' };
    expect(signatureBase(request, subject)).toMatchObject({ ok: false, error: { reason } });
  });

  it.each([['G\nET'], ['G\u00c9T'], ['G\u0000T']])('has no line for the method %j', (method) => {
    const subject = { components: components(['@method']), parametersText: '()' };
    expect(signatureBase({ ...request, method }, subject)).toMatchObject({
      error: { reason: 'bad_component' },
    });
  });

  it('takes one field in several forms', () => {
    const subject = {
      components: components(['x-two', '"x-two";bs', '"x-dict";key="a"', '"x-dict";key="b"']),
      parametersText: '()',
    };
    expect(signatureBase(request, subject).ok).toBe(true);
  });

  it('takes no field that is too long', () => {
    const long = shopRequest({ headers: [['X-Long', 'a'.repeat(16_385)]] });
    expect(valueOf('x-long', long)).toBe('bad_component');
    expect(valueOf('x-long', shopRequest({ headers: [['X-Long', 'a'.repeat(16_384)]] }))).toMatch(
      /^= a/,
    );
  });
});
