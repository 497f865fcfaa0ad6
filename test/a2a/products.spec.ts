import { describe, expect, it } from 'vitest';
import { offer } from '../storefront/storefront.js';
import { openAgentShop, say } from './agent-shop.js';

const shop = await openAgentShop();
await offer(
  { shop, host: '', origin: shop.origin, see: () => Promise.reject(new Error('unused')) },
  [
    { id: 'kashmiri-kahwa', title: 'Kashmiri Kahwa <b>', amount: '65000' },
    { id: 'out-of-stock', title: 'Rose tea', amount: '12345', onHand: 0 },
    { id: 'hidden', title: 'Kahwa that is not offered', listed: false },
  ],
);

const productsOf = async (question: unknown) => {
  const { body } = await shop.send(say(question), { apiKey: null });
  const [words, data] = body.message.parts;
  return { words: words.text as string, products: data.data.products };
};

describe('a question about products', () => {
  it('in words finds what the shop shows, with signed prices and the facts behind them', async () => {
    const { words, products } = await productsOf('kahwa');
    expect(products).toHaveLength(1);
    expect(words).toContain('Kashmiri Kahwa <b>');
    expect(words).toContain('650.00');
    expect(products[0]).toMatchObject({
      product_id: 'kashmiri-kahwa',
      title: 'Kashmiri Kahwa <b>',
      url: `${shop.origin}/products/kashmiri-kahwa`,
      variants: [
        {
          price: { amount: '65000', currency: 'INR' },
          availability: 'in_stock',
          facts: expect.arrayContaining([expect.objectContaining({ type: 'price' })]),
        },
      ],
    });
    const page = await shop.ask2({ path: '/products/kashmiri-kahwa.json', apiKey: null });
    expect(page.status).toBe(200);
  });

  it('by id is answered about that product or variant alone', async () => {
    const byId = await productsOf({ product_id: 'out-of-stock' });
    expect(byId.products[0].variants[0].availability).toBe('out_of_stock');
    expect((await productsOf({ variant_id: 'out-of-stock' })).products).toEqual(byId.products);
    for (const question of [{ product_id: 'hidden' }, { variant_id: 'none' }, { query: 'hidden' }])
      expect((await productsOf(question)).products).toEqual([]);
  });

  it('names facts with which a decision passes', async () => {
    const [product] = (await productsOf({ product_id: 'kashmiri-kahwa' })).products;
    const [variant] = product.variants;
    const line = {
      product_id: product.product_id,
      variant_id: variant.variant_id,
      quantity: 1,
      unit_price: variant.price,
    };
    const answer = await shop.send(
      say({
        flow: 'handoff',
        merchant_id: product.merchant_id,
        cart: { currency: 'INR', lines: [line], total: variant.price },
        artifacts: (variant.facts as { artifact_id: string }[]).map((fact) => fact.artifact_id),
      }),
    );
    expect(answer.body.task.status.state).toBe('TASK_STATE_COMPLETED');
  });
});
