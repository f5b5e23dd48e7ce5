/** Words by which documents say what a program asks, where, and with what: whatever else a sentence has may turn its meaning, so it is not read. */
/** What may stand between an address and a route or a header that are of it. */
const links = 'a an the of its key with in into by at to for as sent and header headers'.split(' ');
/**
 * What may stand there besides where a header is said to be sent with each request: nobody else is named who may ask, or be asked, not even as "our" service. It
 * may be a sentence of its own.
 */
const sending = new Set([
  ...links,
  ...'is are on every each all any request requests call calls your api keys via through using use uses auth authentication happens works'.split(
    ' ',
  ),
  ...'workspace your which'.split(' '),
  ...'authenticated authorized authorised send sends sending pass passes passed include includes included must need needs needed requires required set sets add adds'.split(
    ' ',
  ),
]);
/**
 * The words by which people say what a program asks, and where. A sentence of others may compare, date, forbid, quote or speak of another server,
 * in whatever language: no list of these would be whole.
 */
const words: ReadonlySet<string> = new Set([
  ...links,
  ...'it this these all each every on see is are go goes call calls ask asks use uses send sends sending'.split(' '),
  ...'what we need needs needed takes reads following below api base url uri address host endpoint endpoints route routes path paths request requests method function service client'.split(
    ' ',
  ),
  ...'http https rest json keys authentication auth message messages messaging contact contacts campaign campaigns text texts sms'.split(
    ' ',
  ),
  ...'status name value variable variables setting settings option options default description required optional environment'.split(' '),
  ...'defaults unless given set sets add adds pass passes carry carries put puts point points talk talks look looks create creates get gets'.split(
    ' ',
  ),
  ...'update updates list lists fetch fetches write has have must should can our your you we one per up over via through using which that'.split(
    ' ',
  ),
  ...'workspace user signed dashboard app application integration library package module sdk wrapper job script cli command code program'.split(
    ' ',
  ),
  ...'backend frontend production extension plugin bot whether check checks try'.split(' '),
  ...'when only click name phone number addresses profile recipient recipients'.split(' '),
  ...'make makes making post body content type application/json channel email whatsapp contains containing page limit query parameter'.split(
    ' ',
  ),
  ...'parameters include includes included passed happens works authenticate authenticates authenticated wraps note override overrides requires any'.split(
    ' ',
  ),
  ...'provide provides retrieve retrieves fetches from offset'.split(' '),
  ...'configuration config usage setup overview reference development deployment installation getting started'.split(' '),
  ...'property properties information info details field fields typically usually'.split(' '),
]);
/** What requirements are written with besides. */
export const ofRequirements: ReadonlySet<string> = new Set(
  'added requirements requirement scenario system shall when then correct support supports accept accepts enable enables pagination optional called'.split(
    ' ',
  ),
);
/**
 * What sentences that move by themselves are written with besides: what a program does for people, and with what. None of these can turn what is said, as another
 * time, place or speaker does.
 */
export const ofSentences: ReadonlySet<string> = new Set(
  [
    'customer customers member members guest guests patient patients student students subscriber visitor visitors person people everyone company companies',
    'team teams order orders booking bookings appointment appointments reservation reservations invoice invoices payment payments ticket tickets lead leads',
    'deal deals shop product products notification alert alerts reminder invite invites invitation welcome confirmation newsletter reply replies',
    'conversation chat thread inbox birthday account accounts profiles group groups segment segments audience audiences category categories tag tags field',
    'fields form forms screen screens button buttons pages row rows column columns table tables file files folder folders line lines sheet sheets subject',
    'title label notes link links channels jobs queue queues task tasks step steps event events flow workflow hook hooks schedule cron batch batches night',
    'day daily hour hourly hours minute minutes week weekly month monthly once twice time times second third numbers amount total result results outcome',
    'progress state details contents customize becomes become register registers registered sign signs subscribe subscribes book books booked ordered pay',
    'pays paid ship ships shipped invited notify notifies notified remind reminds reminded greet greets looked show shows shown display displays displayed',
    'print prints tell tells told save saves store stores keep keeps kept load loads loaded fill fills filled choose chosen pick picks picked select',
    'selects selected enter enters open opens opened close closes start starts finish finishes wait waits run runs import imports imported export exports',
    'exported sync syncs synced copy copies copied count counts counted collect collects collected split join checked validate validates validated verify',
    'verifies verified confirm confirms confirmed schedules scheduled deliver delivers delivered arrive arrives arrived describe describes described happen',
    'find finds found seen know knows created provider providers answers answered gives got new single both many several few full empty long small large',
    'good valid ready automatic automatically manually directly together out into onto after about around within where who whose how so then because while',
    'also just there here does do their them they its his her someone somebody emails mails mail notifications reminders invitations newsletters',
    'delivery available made asked called sent workspaces read example examples direct faster more reliable id ids s return returns subscribers stored',
    'saved uris urls relative constructor hold holds',
  ].flatMap((each) => each.split(' ')),
);
/**
 * Words by which the form of an address in a variable is described, and none by which somebody asks or answers: "requests with `/v1` go to it" is said of the own
 * routes of a program.
 */
const ofForms: ReadonlySet<string> = new Set(
  [
    'base url uri address host hostname origin root endpoint api variable variables name value default defaults set environment environments env production',
    'description setting settings option options note notes meaning purpose example what',
    'suffix prefix path paths segment slash slashes trailing final version versioned code client alone only just bare plain full whole yes required optional',
    'the a an its it any this that both all each every is are and or but so no not do must should may need needs where which',
    'with without in on at by to of for from behind after including include includes excluding end ends ending carry carries have has contain',
    'add adds added append appends appended automatically itself',
  ].flatMap((each) => each.split(' ')),
);
const variable = /^(?:process\.env\.)?[A-Z][A-Z\d]*(?:_[A-Z\d]+)+$/;
const between = /(?:[\s,;()|*`"'&+–—→-]|[.:](?=[\s)|*`"']|$)|\[(?=\w)|\](?=\())+/;

const areAll = (said: string, known: (word: string) => boolean): boolean => said.split(between).every((word) => word === '' || known(word));
/** @param more words that are known there, too */
export const plainWords = (said: string, more: ReadonlySet<string> = new Set()): boolean =>
  areAll(said, (word) => words.has(word.toLowerCase()) || more.has(word.toLowerCase()) || variable.test(word));
export const isOfForms = (said: string): boolean =>
  areAll(said.replaceAll(/!/g, ' '), (word) => ofForms.has(word.toLowerCase()) || /^\d+$/.test(word) || variable.test(word));
/** @returns the names of variables that a text has, each once */
export const variablesIn = (said: string): readonly string[] => [...new Set(said.match(anyVariable) ?? [])];
const anyVariable = /(?<![\w$])[A-Z][A-Z\d]*(?:_[A-Z\d]+)+(?![\w$])/g;
export const isLink = (said: string): boolean => !/[.;]/.test(said) && areAll(said, (word) => links.includes(word.toLowerCase()));
/** @param around all of the passage: of a sentence of its own it has to be clear who is asked */
export const isSending = (said: string, around: string): boolean =>
  !/;|\.[^]*\./.test(said) && areAll(said, (word) => sending.has(word.toLowerCase())) && !(said.includes('.') && asked.test(around));
/** Words for those who may be asked themselves. */
export const asked =
  /\b(?:our|we|services?|servers?|backend|frontend|apps?|applications?|extensions?|plugins?|bots?|dashboard|library|package|module|sdk|wrapper|jobs?|scripts?|cli|integration)\b/i;
/** Those of them that answer others, too. */
export const answering = /(?<![\w./@-])(?:our|we|services?|servers?|backends?|frontends?|bots?|apps?|applications?)(?![\w/@-]|\.\w)/i;
