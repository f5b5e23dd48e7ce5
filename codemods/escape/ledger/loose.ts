/** Literals that are ours by what they say, or by what they stand beside, though nobody is seen to ask by them. */
import { isTemplate } from '../../clients/http/frameworks/angular.ts';
import type { Facts } from './facts.ts';
import { type Suspicious, textIn } from './suspicious.ts';
import { isOurAddress, isWrittenRequest, mentionsOurs } from './texts-of-ours.ts';

export const isLoose = (literal: Suspicious, { bases, sites, isAnyMoved, isPassedOn, isBesideMoved, isServer }: Facts): boolean =>
  isOurAddress(literal.node, bases) ||
  isPassedOn(textIn(literal.node)) ||
  isBesideMoved(literal) ||
  (isServer(literal.module) && !isBesideV2(literal.module.text, literal.module.text.slice(literal.start, literal.end))) ||
  isWrittenRequest(literal, bases) ||
  (isTemplate(literal.node) && sites.some(({ verdict }) => /^(?:ours|v2|dynamic-path)$/.test(verdict.kind))) ||
  (isAnyMoved && mentionsOurs(literal.node, bases));

/** Whether a text says the same of v2 as it says of v1. */
export const isBesideV2 = (text: string, said: string): boolean => said.includes('/v1') && text.includes(said.replace('/v1', '/v2'));
