import { randomUUID } from 'node:crypto';
import { SHOP } from '../../src/demo/demo-world.js';
import { openShop, type Shop } from '../arbiter/shop.js';
import type { TestService } from '../support/service.js';

export interface PublicAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The parsed body; tests look into it as they like. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** A shop with a host name of its own, seen by anybody. */
export interface Storefront {
  readonly shop: Shop;
  readonly host: string;
  readonly origin: string;
  see(path: string, headers?: Readonly<Record<string, string>>): Promise<PublicAnswer>;
}

export async function seeAt(
  { app }: TestService,
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<PublicAnswer> {
  const answer = await app.inject({ method: 'GET', url, headers });
  const isJson = /json(?:;|$)/.test(String(answer.headers['content-type'] ?? ''));
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    body: isJson && answer.body !== '' ? JSON.parse(answer.body) : null,
  };
}

/** `through`: another service on the same database that answers what is seen. */
export async function openStorefront(
  service: TestService,
  { shop, through = service }: { readonly shop?: Shop; readonly through?: TestService } = {},
): Promise<Storefront> {
  const opened = shop ?? (await openShop(service));
  const host = `${randomUUID()}.example`;
  const origin = `https://${host}`;
  const added = await opened.call('POST', '/v1/origins', { as: 'tenant_admin', body: { origin } });
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  return {
    ...{ shop: opened, host, origin },
    see: (path, headers = {}) => seeAt(through, path, { host, ...headers }),
  };
}

export interface Offered {
  readonly id: string;
  readonly title?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly image?: string | null;
  readonly listed?: boolean;
  readonly onHand?: number | null;
  readonly merchantId?: string;
}

/** Sets products of one variant each. */
export async function offer({ shop }: Storefront, things: readonly Offered[]): Promise<void> {
  const [first] = things;
  const body = {
    merchant_id: first?.merchantId ?? SHOP,
    products: things.map(({ id, title = id, image = null, listed = true }) => ({
      ...{ product_id: id, title, image_url: image, listed },
    })),
    variants: things.map(({ id }) => ({ variant_id: id, product_id: id })),
    prices: things.map(({ id, amount = '45900', currency = 'INR' }) => ({
      variant_id: id,
      price: { amount, currency },
    })),
    counts: things.flatMap(({ id, onHand = 5 }) =>
      onHand === null ? [] : [{ variant_id: id, on_hand: onHand }],
    ),
  };
  const imported = await shop.call('POST', '/v1/catalog/imports', { as: 'merchant_system', body });
  if (imported.status !== 200) throw new Error(JSON.stringify(imported.body));
}

export const revokeFact = async (
  { shop }: Storefront,
  type: 'price' | 'catalog_snapshot' | 'inventory',
  id: string,
): Promise<void> => {
  const subject = { artifact_type: type, merchant_id: SHOP, variant_id: id };
  const body = { ...subject, reason_code: 'recall' };
  const revoked = await shop.call('POST', '/v1/revocations', { as: 'tenant_admin', body });
  if (revoked.status !== 200) throw new Error(JSON.stringify(revoked.body));
};

/** What every surface of the shop says of one product: whether it is shown there. */
export async function shownOn(
  front: Storefront,
  id: string,
): Promise<Readonly<Record<string, boolean>>> {
  const { origin } = front;
  const url = `${origin}/products/${encodeURIComponent(id)}`;
  const lists = ['/', '/catalog.json', '/sitemap.xml', '/llms.txt'];
  const pages = ['', '.json', '.jsonld'].map((end) => `/products/${encodeURIComponent(id)}${end}`);
  const shown: Record<string, boolean> = {};
  for (const path of lists) {
    const { status, text } = await front.see(path);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
    shown[path] = text.includes(url);
  }
  for (const path of pages) {
    const { status, text } = await front.see(path);
    if (status !== 200 && status !== 404) throw new Error(`${path} answers ${status}: ${text}`);
    shown[path.replace(encodeURIComponent(id), '*')] = status === 200;
  }
  return shown;
}

const SURFACES = [
  ...['/', '/catalog.json', '/sitemap.xml', '/llms.txt'],
  ...['/products/*', '/products/*.json', '/products/*.jsonld'],
];
const everywhere = (shown: boolean) => Object.fromEntries(SURFACES.map((path) => [path, shown]));
export const EVERYWHERE = everywhere(true);
export const NOWHERE = everywhere(false);
