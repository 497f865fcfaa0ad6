/** Providers whose links, charges and refunds the merchant's own system makes and reports: nobody is called here. */
export const OWN_PROVIDERS = ['merchant', 'shopify', 'plural'] as const;

/** False: a rail of this service moves the money and tells what became of it; nobody else does (facts/arbiter.md C6). */
export const isOwnProvider = (provider: string): boolean =>
  OWN_PROVIDERS.some((own) => own === provider);
