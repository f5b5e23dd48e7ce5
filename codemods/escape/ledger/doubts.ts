/** Words in documents by which something may be said of another time, server or program than our calls are of. */
import { v2Auth } from '../../../src/contract/auth.ts';

/** That compares versions, tells of what was or will be, forbids, or says what else v1 has. */
const ofAnotherTime = [
  String.raw`(?<![\w./@:-])v1(?![\w/-]|\.\w)|(?<![\w@-])v[02]\b|\b${v2Auth.field}\b|\b${v2Auth.scheme}\b`,
  String.raw`\b(?:deprecat|migrat|upgrad|sunset|retir|replac|renam|switch)\w*|\b(?:until|legacy|old|former(?:ly)?|previous(?:ly)?|still|yet|for now|currently|today|instead|new (?:apis?|versions?)|used to|moved|histor\w+|todo)\b`,
  String.raw`\broll(?:s|ing|ed)?[ -]?backs?\b|\brevert\w*`,
  String.raw`\b(?:was|were|had|no longer)\b|\b(?:19|20)\d\d\b|\d\.\d+\.\d`,
  String.raw`\b(?:rate|limit(?:s|ed)?|per (?:second|minute|hour|day|key))\b`,
  String.raw`\b(?:version (?:1|one)|first version)\b`,
  // What stands in for a service may answer as v1 does.
  String.raw`\b(?:mock\w*|stub\w*|fakes?|stand-?ins?|sandbox)\b`,
  // What is written in another language is not read.
  String.raw`[^\x00-\x7F–—…’“”→✓✅❌]`,
];
/** That speaks of another server. */
const ofAnotherServer = String.raw`\b(?:own|ours|internal(?:ly)?|gateway|proxy|proxies|prox(?:y|i)ed|localhost|callers?|partners?|consumers?|inbound|incoming|exposes?|serves?)\b|127\.0\.0\.1`;
/** That forbids, or denies. */
const denying = String.raw`\b(?:not|never|avoid|cannot)\b|n['’]t\b`;
const ofOtherSubjects = new RegExp([...ofAnotherTime, ofAnotherServer].join('|'), 'i');
const doubtful = new RegExp(`${ofOtherSubjects.source}|${denying}`, 'i');
export const isDoubtful = (said: string): boolean => doubtful.test(said.replaceAll(unsetOrNamed, ' '));
/** The same of what is said above rows and settings, which say themselves whose they are: what is denied there is denied of something else, unless it leads to them. */
export const isDoubtfulAbove = (said: string): boolean =>
  (/[:*_]\s*$/.test(said) ? doubtful : ofOtherSubjects).test(said.replaceAll(unsetOrNamed, ' '));
const dated = new RegExp([...ofAnotherTime, denying].join('|'), 'i');
/** Whether it does not hold of an address either, which says by itself whose it is. */
export const isOfAnotherTime = (said: string): boolean => dated.test(said.replaceAll(unsetOrNamed, ' '));

/** What mails do not go by. */
export const notBySmtp = String.raw`\b(?:not|instead\s+of|rather\s+than)\s+(?:(?:via|over|through|by)\s+)?SMTP\b`;

const whoseBrowser = String.raw`(?:the|your|our|any|a)\s+(?:(?:web|mobile|react|expo)\s+)?(?:browsers?|clients?|front-?ends?|apps?|pages?|bundles?|users?|visitors?)`;
const itsKey = String.raw`(?:it|them|(?:the|your|our|any|this)\s+(?:api\s+)?(?:keys?|tokens?|secrets?|headers?))`;
const never = String.raw`(?:never|does\s+not|doesn['’]t|do\s+not|don['’]t|cannot|can['’]t)`;
/** What is denied of somebody who holds no key, and is so on any version: `the browser never sees it`, `the key never leaves the server`. */
export const deniedOfOthers = [
  String.raw`(?:\bso\s+(?:that\s+)?)?\b${whoseBrowser}\s+${never}\s+(?:sees?|gets?|knows?|has|have|holds?|reads?|touch(?:es)?|receives?)\s+${itsKey}(?![\w/-])`,
  String.raw`(?:\bso\s+(?:that\s+)?)?\b${itsKey}\s+${never}\s+(?:leaves?|reach(?:es)?|gets?\s+to|ends?\s+up\s+in)\s+(?:the\s+(?:server|back-?end|machine|host)|${whoseBrowser})(?![\w/-])`,
  String.raw`(?:\bso\s+(?:that\s+)?)?\b${itsKey}\s+(?:is|are)\s+(?:never|not)\s+(?:sent|exposed|shipped|given|visible|available|known|leaked)\s+(?:to|in|by)\s+${whoseBrowser}(?![\w/-])`,
  String.raw`\b${whoseBrowser}\s+${never}\s+(?:talks?|speaks?|connects?)\s+(?:directly\s+)?to\s+(?!v\d)[A-Za-z]\w+(?:\s+(?:itself|directly))?(?=\s*[.;,)]|\s*$)`,
].join('|');

/** What holds where nothing is set; what a file of settings is to be called; an event: `| Order was placed |`; a page of a list. */
const unsetOrNamed = new RegExp(
  [
    String.raw`\b(?:if|when|unless)\s+(?:it\s+is\s+|it['’]s\s+)?(?:not\s+(?:set|given|specified|provided|defined)|unset)\b`,
    String.raw`\brename\b(?=[\s*\x60]*\.env\b)`,
    // What nobody does with a key, on any version.
    String.raw`\b(?:never|do not|don['’]t|avoid)[\s*]+(?:commit|share|expose|publish|hard-?cod(?:e|ing)|log|leak|paste|check in)(?:ting|ing)?\b`,
    notBySmtp,
    deniedOfOthers,
    String.raw`\binstead\s+of\s+(?:the\s+|an?\s+)?(?:environment\s+)?(?:variables?|flags?|options?|arguments?)(?!\w)`,
    String.raw`(?<=[?&])limit(?==)`,
    String.raw`(?<=^\s*\|\s*(?:(?:an?|the)\s+)?(?!what|which|it|this|that)[a-z]+\s+)was(?=\s+(?:placed|created|sent|received|read|added|deleted|paid|shipped|delivered|confirmed|booked|cancell?ed)\s*\|)`,
  ].join('|'),
  'gi',
);

/** Another program, which is elsewhere. */
export const isOfAnotherProgram = (said: string): boolean =>
  /\b(?:android|ios|gradle|kotlin|swift|java|php|ruby|python|dotnet)\b/i.test(said);
