export const SHOP_AGENTS = Symbol('ShopAgents');
export const SIGNED_CARDS = Symbol('SignedCards');
export const PUSH_SENDER = Symbol('PushSender');
