import { describe, expect, it } from 'vitest';
import { shopRequest } from '../../../test/httpsig/signed-requests.js';
import { type HeaderLine, readSignatures, type SignatureReason } from './index.js';

const SIGNATURE = ':AAAA:';

function read(...headers: readonly HeaderLine[]) {
  return readSignatures(shopRequest({ headers }));
}

/** The fault of the message, else of the label `a`, else null. */
function faultOf(input: string, signature = `a=${SIGNATURE}`): SignatureReason | null {
  const found = read(['Signature-Input', input], ['Signature', signature]);
  if (!found.ok) return found.error.reason;
  return found.value[0]?.fault?.reason ?? null;
}

describe('the two headers', () => {
  it('a Signature alone belongs to another scheme', () => {
    expect(read(['Signature', 'keyId="x",signature="y"'])).toEqual({ ok: true, value: [] });
    expect(read()).toEqual({ ok: true, value: [] });
  });

  it('lines of one header are one dictionary', () => {
    const found = read(
      ['Signature-Input', 'a=("@path")'],
      ['signature-input', ' b=("@path") '],
      ['Signature', `b=${SIGNATURE}`],
      ['SIGNATURE', `a=${SIGNATURE}`],
    );
    expect(found.ok && found.value.map(({ label }) => label)).toEqual(['a', 'b']);
  });

  it.each<[string, string, string, SignatureReason]>([
    ['no dictionary', '"text"', `a=${SIGNATURE}`, 'malformed_header'],
    ['a comma at the end', 'a=("@path"),', `a=${SIGNATURE}`, 'malformed_header'],
    ['an upper-case parameter', 'a=("@path");keyId="k"', `a=${SIGNATURE}`, 'malformed_header'],
    ['an upper-case label', 'A=("@path")', `A=${SIGNATURE}`, 'malformed_header'],
    ['an open string', 'a=("@path)', `a=${SIGNATURE}`, 'malformed_header'],
    ['bytes outside of ASCII', 'a=("@path");tag="\u00e9"', `a=${SIGNATURE}`, 'malformed_header'],
    ['no dictionary of signatures', 'a=("@path")', '(', 'malformed_header'],
    ['a label twice', 'a=("@path"), a=("@path")', `a=${SIGNATURE}`, 'duplicate_label'],
    ['a signature twice', 'a=("@path")', `a=${SIGNATURE}, a=${SIGNATURE}`, 'duplicate_label'],
    ['no signature', 'a=("@path")', '', 'label_mismatch'],
    ['a signature of another label', 'a=("@path")', `b=${SIGNATURE}`, 'label_mismatch'],
    ['one signature more', 'a=("@path")', `a=${SIGNATURE}, b=${SIGNATURE}`, 'label_mismatch'],
    [
      'a label too long',
      `${'a'.repeat(65)}=("@path")`,
      `${'a'.repeat(65)}=${SIGNATURE}`,
      'malformed_header',
    ],
    [
      'a header too long',
      `a=("@path");tag="${'t'.repeat(4_096)}"`,
      `a=${SIGNATURE}`,
      'malformed_header',
    ],
  ])('%s', (_why, input, signature, reason) => {
    const found = read(['Signature-Input', input], ['Signature', signature]);
    expect(found).toMatchObject({ ok: false, error: { reason } });
  });

  it('four labels are read, five are not', () => {
    const labels = ['a', 'b', 'c', 'd', 'e'];
    const count = (number: number) =>
      read(
        [
          'Signature-Input',
          labels
            .slice(0, number)
            .map((label) => `${label}=("@path")`)
            .join(', '),
        ],
        [
          'Signature',
          labels
            .slice(0, number)
            .map((label) => `${label}=${SIGNATURE}`)
            .join(', '),
        ],
      );
    expect(count(4).ok).toBe(true);
    expect(count(5)).toMatchObject({ ok: false, error: { reason: 'malformed_header' } });
  });
});

describe('one label', () => {
  it.each([
    ['the shortest', 'a=()'],
    ['spaces', 'a=( "@path"   "@method" ); created=1;  keyid="k"'],
    ['a parameter of somebody else', 'a=("@path");x=1;y=token;z=:AA==:;f;d=1.5'],
    ['a quotation mark in a string', 'a=("@path");keyid="a\\"b\\\\"'],
    ['an integer of 15 digits', 'a=("@path");created=999999999999999'],
    ['the largest nonce', `a=("@path");nonce="${'n'.repeat(256)}"`],
    ['the largest keyid', `a=("@path");keyid="${'k'.repeat(512)}"`],
    ['16 parameters', `a=("@path")${parameters(16)}`],
    ['32 components', `a=(${components(32)})`],
  ])('%s is read', (_why, input) => {
    expect(faultOf(input)).toBe(null);
  });

  it.each<[string, string, SignatureReason]>([
    ['no list', 'a="@path"', 'malformed_header'],
    ['a flag', 'a', 'malformed_header'],
    ['a token for a component', 'a=(path)', 'malformed_header'],
    ['a number for a component', 'a=(1)', 'malformed_header'],
    ['bytes for a component', 'a=(:AA==:)', 'malformed_header'],
    ['a date for a component', 'a=("@path" @1)', 'malformed_header'],
    ['a component twice', 'a=("@path" "@path")', 'duplicate_component'],
    ['a component twice, parameters turned', 'a=("x";bs;tr "x";tr;bs)', 'duplicate_component'],
    ['a component parameter twice', 'a=("x";bs;bs)', 'malformed_header'],
    ['a parameter twice', 'a=("@path");created=1;created=1', 'malformed_header'],
    ['created as a string', 'a=("@path");created="1"', 'bad_parameter_type'],
    ['created as a decimal', 'a=("@path");created=1.5', 'bad_parameter_type'],
    ['created as a decimal without a fraction', 'a=("@path");created=1.0', 'bad_parameter_type'],
    ['created as a flag', 'a=("@path");created', 'bad_parameter_type'],
    ['created as a date', 'a=("@path");created=@1', 'bad_parameter_type'],
    ['created before 1970', 'a=("@path");created=-1', 'bad_parameter_type'],
    ['expires as a string', 'a=("@path");expires="never"', 'bad_parameter_type'],
    ['expires as a decimal', 'a=("@path");expires=1.0', 'bad_parameter_type'],
    ['nonce as a token', 'a=("@path");nonce=abc', 'bad_parameter_type'],
    ['nonce as bytes', 'a=("@path");nonce=:AA==:', 'bad_parameter_type'],
    ['keyid as a token', 'a=("@path");keyid=abc', 'bad_parameter_type'],
    ['alg as a token', 'a=("@path");alg=ed25519', 'bad_parameter_type'],
    ['tag as a token', 'a=("@path");tag=web-bot-auth', 'bad_parameter_type'],
    ['tag as a flag', 'a=("@path");tag', 'bad_parameter_type'],
    ['a parameter that would be written otherwise', 'a=("@path");x=1.0', 'bad_parameter_type'],
    ['a nonce too long', `a=("@path");nonce="${'n'.repeat(257)}"`, 'malformed_header'],
    ['a keyid too long', `a=("@path");keyid="${'k'.repeat(513)}"`, 'malformed_header'],
    ['17 parameters', `a=("@path")${parameters(17)}`, 'malformed_header'],
    ['33 components', `a=(${components(33)})`, 'malformed_header'],
  ])('%s is a fault', (_why, input, reason) => {
    expect(faultOf(input)).toBe(reason);
  });

  it.each([
    ['a string', 'a="AAAA"'],
    ['a token', 'a=AAAA'],
    ['a list', 'a=(:AAAA:)'],
    ['no bytes', 'a=::'],
  ])('a signature that is %s is a fault', (_why, signature) => {
    expect(faultOf('a=("@path")', signature)).toBe('malformed_header');
  });

  it('keeps order and writes parameters again in their canonical form', () => {
    const found = read(
      ['Signature-Input', 'a=( "@path"   "x";bs ); keyid="k";  created=5;f'],
      ['Signature', `a=${SIGNATURE}`],
    );
    expect(found.ok && found.value[0]).toMatchObject({
      parametersText: '("@path" "x";bs);keyid="k";created=5;f',
      parameters: { created: 5, keyid: 'k', expires: null },
    });
  });

  it('a fault of one label leaves the others', () => {
    const found = read(
      ['Signature-Input', 'a=("@path" "@path"), b=("@path")'],
      ['Signature', `a=${SIGNATURE}, b=${SIGNATURE}`],
    );
    expect(found.ok && found.value.map(({ fault }) => fault?.reason ?? null)).toEqual([
      'duplicate_component',
      null,
    ]);
  });

  it('marks of duplicates look at structure, not at text', () => {
    expect(faultOf('a=("x-a";key=";k=1;k=2, a=")')).toBe(null);
    expect(faultOf('a=("@path");nonce="a=1, a=2";x=tok/en:1.0')).toBe(null);
    expect(faultOf('a=("@path");x=%"a%22;b"')).toBe('bad_parameter_type');
  });
});

function parameters(count: number): string {
  return Array.from({ length: count }, (_, index) => `;p${index}=1`).join('');
}

function components(count: number): string {
  return Array.from({ length: count }, (_, index) => `"x-${index}"`).join(' ');
}
