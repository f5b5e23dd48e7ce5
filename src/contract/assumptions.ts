/**
 * Open questions: what api.md does not show, the value the kit assumes, and why.
 * A setting `assumptions.<name>` (or `--assume name=value`) overrides each of them. docs/open-questions.md lists them from here.
 */
import { contactQuestions } from './questions/contacts.ts';
import { deprecationQuestions } from './questions/deprecation.ts';
import { errorQuestions } from './questions/errors.ts';
import { limitQuestions } from './questions/limits.ts';
import type { Questions } from './questions/question.ts';
import { resourceQuestions } from './questions/resources.ts';
import { webhookQuestions } from './questions/webhooks.ts';

/** All of them, in the order of the documents. */
export const openQuestions = {
  ...deprecationQuestions,
  ...errorQuestions,
  ...limitQuestions,
  ...webhookQuestions,
  ...resourceQuestions,
  ...contactQuestions,
} as const satisfies Questions;

export type AssumptionName = keyof typeof openQuestions;

type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : readonly string[];
/** The value of every open question, after overrides. */
export type Assumptions = { readonly [Name in AssumptionName]: Widen<(typeof openQuestions)[Name]['value']> };

/**
 * The assumed values with the given ones in their place.
 * @param overrides values by the name of the question, each in its domain (src/config checks them); undefined stands for the assumed one
 */
export function assume(overrides: Partial<Assumptions> = {}): Assumptions {
  const assumed = Object.fromEntries(Object.entries(openQuestions).map(([name, row]) => [name, row.value]));
  const given = Object.entries(overrides).filter(([, value]) => value !== undefined);
  // Object.fromEntries forgets the keys; they are exactly those of openQuestions.
  return { ...assumed, ...Object.fromEntries(given) } as Assumptions;
}

interface Contradiction {
  /** Whoever gives one of these is told of it. */
  readonly given: readonly AssumptionName[];
  readonly is: (assumptions: Assumptions) => boolean;
  readonly rule: string;
}

const contradictions: readonly Contradiction[] = [
  {
    given: ['contactPhoneField', 'contactEmailField'],
    is: ({ contactPhoneField, contactEmailField }) => contactPhoneField === contactEmailField,
    rule: 'contactPhoneField and contactEmailField must be two fields',
  },
  {
    given: ['sunsetAt', 'deprecatedSince'],
    is: ({ sunsetAt, deprecatedSince }) => Date.parse(deprecatedSince) > Date.parse(sunsetAt),
    rule: 'deprecatedSince must not be later than sunsetAt (RFC 9745 §4)',
  },
  {
    // A smaller largest limit alone cuts the default, too.
    given: ['limitDefault'],
    is: ({ limitDefault, limitMax }) => limitDefault > limitMax,
    rule: 'limitDefault must not be larger than limitMax',
  },
  {
    given: ['failedDeliveryStatus', 'deliveryStatuses'],
    is: ({ failedDeliveryStatus, deliveryStatuses }) => deliveryStatuses.includes(failedDeliveryStatus),
    rule: 'failedDeliveryStatus must be none of deliveryStatuses',
  },
  {
    given: ['sentCampaignStatus', 'initialCampaignStatus'],
    is: ({ sentCampaignStatus, initialCampaignStatus }) => sentCampaignStatus === initialCampaignStatus,
    rule: 'sentCampaignStatus must not be initialCampaignStatus',
  },
  {
    // From beside the way, a campaign that was sent would go on to its beginning. Other states alone leave the assumed one beside theirs.
    given: ['sentCampaignStatus'],
    is: ({ sentCampaignStatus, campaignStatuses }) => !campaignStatuses.includes(sentCampaignStatus),
    rule: 'sentCampaignStatus must be one of campaignStatuses',
  },
  {
    // A search alone that goes by the name of a field takes it from the assumed filters.
    given: ['contactFilterParameters'],
    is: ({ contactFilterParameters, contactSearchParameter }) => contactFilterParameters.includes(contactSearchParameter),
    rule: 'contactFilterParameters must not have contactSearchParameter',
  },
];

/**
 * The first rule that values break only together.
 * @param overrides each in its own domain
 * @returns the name of one that was given, and the rule; undefined where they break none
 */
export function contradictionIn(overrides: Partial<Assumptions>): { readonly name: AssumptionName; readonly rule: string } | undefined {
  const all = assume(overrides);
  for (const { given, is, rule } of contradictions) {
    const name = given.find((one) => overrides[one] !== undefined);
    if (name !== undefined && is(all)) return { name, rule };
  }
  return undefined;
}
