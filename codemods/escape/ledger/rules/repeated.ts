/** Literals that repeat what is asked for: what compares, expects or keeps an address by itself has to follow when that one moves. */
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isExpected, isRepeated } from '../../paths/repeats.ts';
import { expensiveAround, expensiveIn, isSentToOther } from '../expensive-calls.ts';
import { isOurPattern, isPatternOfOthers, isRuleOfOurs, textIn } from '../suspicious.ts';
import { isAboutOurs, isForeignAddress } from '../texts-of-ours.ts';
import { listed, ofOthers, type Rules, told } from './rule.ts';

export const repeated: Rules = {
  /** An address at another host fits the pattern. */
  patternOfOthers: ({ node }, { bases }) => isPatternOfOthers(node, bases) && ofOthers,

  /** A rule lets through all that is below a version of ours. */
  ruleOfOurs: ({ node, module }, { bases }) =>
    isRuleOfOurs(node, module, bases) && told('repeats-path', { how: 'let through', path: '/v1/' }),

  /** A call that was too much to follow says by what is written there that it asks others … */
  sentToOther: (at, { ev, expensive, bases }) =>
    expensiveAround(at, expensive) !== undefined && isSentToOther(at, bases, ev.world) && ofOthers,

  /** … or nothing, and may ask ours. What a test does and was too much is mostly so as a whole. */
  tooComplex: (at, { ev, expensive, bases }, { isAgain }) => {
    const { module } = at;
    const call = expensiveAround(at, expensive);
    if (call === undefined || isForeignAddress(at.node, bases)) return false;
    return isTest(module) && isAgain ? listed('too-complex') : told('too-complex', expensiveIn(ev, { node: call, module }));
  },

  /** It is about addresses of ours alone, whether anything here moves or not. */
  aboutOurs: (at, { bases }) =>
    (isOurPattern(at.node, bases) || (isAboutOurs(at, bases) && isRepeated(at.node, at.module, true))) && told('repeats-path'),

  /** It is compared with something, beside what moves or in a file that speaks of us. */
  compared: ({ node, module }, { bases, isAnyMoved, speaksOfUs }) =>
    (isAnyMoved || speaksOfUs(module)) && isRepeated(node, module) && !isForeignAddress(node, bases) && told('repeats-path'),

  /** A cache is asked by it for what is kept under another path from now on. */
  keptKey: (at, { isAnyMoved, isKept, isLeading }) =>
    isAnyMoved && at.served.size === 0 && isKept(at) && isLeading(at.module) && told('repeats-path'),

  /** A test expects an address that it gives, or asks for, itself. */
  expectedBeside: ({ node, module }, { isMovedBeside, isAskedBeside }) =>
    isTest(module) &&
    isExpected(node, module) &&
    [isMovedBeside, isAskedBeside].some((isBeside) => isBeside(textIn(node), module)) &&
    told('repeats-path'),
};
