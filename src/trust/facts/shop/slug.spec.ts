import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isChosenId } from '../../../core/kernel/index.js';
import { partsOfSlug, SLUG_CHARACTERS_MAX, slugOf } from './slug.js';

const id = fc
  .stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:@/+-]{0,20}(?:\.json|\.jsonld|json|\/)?$/)
  .filter(isChosenId);

describe('the slug of a product', () => {
  it.each([
    [null, 'masala-chai', 'masala-chai'],
    ['chai-stall', 'masala-chai', 'chai-stall~masala-chai'],
    [null, 'gid://shop/Product/1', 'gid:~-~-shop~-Product~-1'],
    [null, 'x.json', 'x~_json'],
    ['m.json', 'x.jsonld', 'm.json~x~_jsonld'],
    [null, 'json', 'json'],
    ['m', 'json', 'm~json'],
  ])('%j %j is %j', (merchantId, productId, slug) => {
    expect(slugOf({ merchantId, productId })).toBe(slug);
    expect(partsOfSlug(slug)).toEqual({ merchantId, productId });
  });

  it('reads as what it was made of, is no other route’s, and needs no encoded slash', () => {
    fc.assert(
      fc.property(fc.option(id), id, (merchantId, productId) => {
        const slug = slugOf({ merchantId, productId });
        expect(partsOfSlug(slug)).toEqual({ merchantId, productId });
        expect(slug).not.toMatch(/\/|\.json(?:ld)?$/);
        expect(slug.length).toBeLessThanOrEqual(SLUG_CHARACTERS_MAX);
      }),
    );
  });

  it('is read where nothing was escaped', () => {
    expect(partsOfSlug('gid://shop/1')).toEqual({ merchantId: null, productId: 'gid://shop/1' });
    expect(partsOfSlug('x.json')).toEqual({ merchantId: null, productId: 'x.json' });
  });

  it.each([
    '',
    '~',
    '~a',
    'a~',
    'a~b~c',
    '-a',
    'a b',
    'ä',
    '../x',
    '..',
    '%',
    `${'a'.repeat(514)}`,
  ])('%j names nothing', (slug) => expect(partsOfSlug(slug)).toBeNull());
});
