import { describe, expect, it } from 'vitest';
import { shopRequest } from '../../../test/httpsig/signed-requests.js';
import { draftSignature } from './index.js';

const draft = (changed: {
  label?: string;
  components?: readonly string[];
  parameters?: Readonly<Record<string, string | number>>;
}) =>
  draftSignature(shopRequest(), {
    label: 'sig1',
    components: ['@path'],
    parameters: { created: 1 },
    ...changed,
  });

describe('a signature to be made', () => {
  it('is written as it is read', () => {
    const made = draft({
      components: ['@path', '"host";bs'],
      parameters: { created: 1, keyid: 'a"b\\c', x: '' },
    });
    if (!made.ok) throw new Error(made.error.detail);
    const { base, signatureInput, signature } = made.value;
    expect(signatureInput).toBe('sig1=("@path" "host";bs);created=1;keyid="a\\"b\\\\c";x=""');
    expect(base.toString()).toBe(
      `"@path": /catalog.json\n"host";bs: :c2hvcC5leGFtcGxl:\n"@signature-params": ${signatureInput.slice(5)}`,
    );
    expect(signature(Buffer.from([1, 2, 3]))).toBe('sig1=:AQID:');
  });

  it.each([
    ['a label in upper case', { label: 'Sig' }, 'malformed_header'],
    ['an empty label', { label: '' }, 'malformed_header'],
    ['an unknown component', { components: ['@nothing'] }, 'bad_component'],
    ['a component twice', { components: ['@path', '"@path"'] }, 'duplicate_component'],
    ['a field that is not there', { components: ['x-none'] }, 'component_not_in_message'],
    ['a fraction', { parameters: { created: 1.5 } }, 'bad_parameter_type'],
    ['no number', { parameters: { created: Number.NaN } }, 'bad_parameter_type'],
    ['a line break', { parameters: { keyid: 'a\nb' } }, 'bad_parameter_type'],
    ['a parameter in upper case', { parameters: { keyId: 'a' } }, 'bad_parameter_type'],
  ])('is none for %s', (_name, changed, reason) => {
    expect(draft(changed)).toMatchObject({ ok: false, error: { reason } });
  });
});
