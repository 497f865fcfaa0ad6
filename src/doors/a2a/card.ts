import { AgentCard } from '@a2a-js/sdk';
import {
  A2A_JSON_CONTENT_TYPE,
  JSON_CONTENT_TYPE,
  SERVICE_VERSION,
} from '../../base/platform/index.js';
import { DECISION_EXAMPLES } from '../api/decisions/index.js';

/** Where the protocol answers, below the shop's origin. Clients of version 0.3 add `/v1` to the base themselves. */
export const RPC_PATH = '/a2a/rpc';
export const REST_PATH = '/a2a/v1';
const LEGACY_REST_PATH = '/a2a';
export const CARD_PATH = '/.well-known/agent-card.json';

/** What a client may activate (A2A-Extensions): it names the form of this agent's data parts and refusals. */
export const DECISION_EXTENSION = 'urn:commerce-arbiter:a2a:decision:1';

const SCHEME = 'apiKey';
const SCHEME_WORDS = 'An API key of the shop: Authorization: Bearer ak_...';

export interface ShopFront {
  /** Scheme and host that were asked, without a slash at the end. */
  readonly origin: string;
  readonly name: string;
}

/** The agent card of a shop in the form of version 1.0, unsigned. */
export const cardOf = ({ origin, name }: ShopFront): AgentCard =>
  AgentCard.fromJSON({
    name,
    description:
      'The shop’s agent. It answers questions about products and prices, and it decides whether an agent’s purchase is ' +
      'allowed: at once, with a reason, and nobody is waited for.',
    version: SERVICE_VERSION,
    supportedInterfaces: [
      { url: origin + REST_PATH, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: origin + RPC_PATH, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url: origin + RPC_PATH, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url: origin + LEGACY_REST_PATH, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ],
    capabilities: {
      streaming: false,
      pushNotifications: true,
      extendedAgentCard: false,
      extensions: [
        {
          uri: DECISION_EXTENSION,
          description:
            'Data parts are bodies and answers of POST /v1/decisions; a refusal also stands in the message’s metadata.',
          required: false,
        },
      ],
    },
    securitySchemes: {
      [SCHEME]: { httpAuthSecurityScheme: { scheme: 'bearer', description: SCHEME_WORDS } },
    },
    defaultInputModes: ['text/plain', JSON_CONTENT_TYPE],
    defaultOutputModes: ['text/plain', JSON_CONTENT_TYPE],
    skills: SKILLS,
  });

const KEY_NEEDED = [{ schemes: { [SCHEME]: { list: [] } } }];

const SKILLS = [
  {
    id: 'product-questions',
    name: 'Products and prices',
    description:
      'Finds products by words, or answers about one: a data part {"product_id"}, {"variant_id"} or {"query"}. Needs no key.',
    tags: ['catalogue', 'prices'],
    examples: ['masala chai', JSON.stringify({ product_id: 'masala-chai' })],
    inputModes: ['text/plain', JSON_CONTENT_TYPE],
  },
  {
    id: 'purchase-decision',
    name: 'Decide a purchase',
    description:
      'Allows or refuses a purchase, once per messageId: a data part with the body of POST /v1/decisions. An allow completes ' +
      'the task, a refusal rejects it and says why.',
    tags: ['purchase', 'decision', 'policy'],
    examples: [JSON.stringify(DECISION_EXAMPLES.handoff)],
    inputModes: [JSON_CONTENT_TYPE],
    securityRequirements: KEY_NEEDED,
  },
  {
    id: 'decision-explanation',
    name: 'Explain a decision',
    description: 'Says what was decided and why: a data part {"decision_id"}.',
    tags: ['decision', 'explanation'],
    examples: [JSON.stringify({ decision_id: 'arbdec_99df052e268e' })],
    inputModes: [JSON_CONTENT_TYPE],
    securityRequirements: KEY_NEEDED,
  },
  {
    id: 'task-state',
    name: 'State of a task',
    description:
      'GetTask and ListTasks show the caller’s own tasks for 30 days; every one of them has ended.',
    tags: ['tasks'],
    inputModes: [JSON_CONTENT_TYPE, A2A_JSON_CONTENT_TYPE],
    securityRequirements: KEY_NEEDED,
  },
];

/**
 * The card as it is served to everybody: the members of version 1.0, and beside them those that only version 0.3 reads. So a
 * client finds its own whatever it asks with, and signatures over either form stay good.
 */
export function servedCard(card: AgentCard, { origin }: Pick<ShopFront, 'origin'>): ServedCard {
  const plain = AgentCard.toJSON(card) as Record<string, unknown>;
  const skills = plain['skills'] as readonly Record<string, unknown>[];
  const schemes = plain['securitySchemes'] as Readonly<Record<string, object>>;
  return {
    ...plain,
    protocolVersion: '0.3.0',
    url: origin + RPC_PATH,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: origin + RPC_PATH, transport: 'JSONRPC' },
      { url: origin + LEGACY_REST_PATH, transport: 'HTTP+JSON' },
    ],
    supportsAuthenticatedExtendedCard: false,
    securitySchemes: {
      [SCHEME]: { type: 'http', scheme: 'bearer', description: SCHEME_WORDS, ...schemes[SCHEME] },
    },
    skills: skills.map((skill) =>
      skill['securityRequirements'] === undefined
        ? skill
        : { ...skill, security: [{ [SCHEME]: [] }] },
    ),
  };
}

export type ServedCard = Readonly<Record<string, unknown>>;
