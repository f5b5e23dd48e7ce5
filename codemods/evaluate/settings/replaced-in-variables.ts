/** Texts that are replaced in a variable of the environment: what it holds is not seen, so that another host may come of it. */
import { flat } from '../values/text.ts';
import { optionsOf, partsOf, plainText, type Value } from '../values/values.ts';

/** Whether what a variable holds may go elsewhere then: `process.env.API_URL.replace('api.example.com', 'crm.example.com')`. */
export function mayLeadElsewhere(receiver: Value, search: string, by: Value): boolean {
  // A variable that is put in its own place, as a second look at what is written back does, has no other host than it had.
  const own = new Set(optionsOf(by).map((option) => (option.type === 'env' ? option.name : undefined)));
  const [name] = own.size === 1 ? own : [];
  return !isHarmless(search, by) && optionsOf(receiver).some((option) => isOfVariable(option, name));
}

const isOfVariable = (option: Value, but: string | undefined): boolean =>
  partsOf(option).some(
    (part) => 'unknownPart' in part && optionsOf(part.unknownPart).some((each) => each.type === 'env' && each.name !== but),
  );

/** Whether it leaves alone the host of any address that moves, and the path that it has. */
function isHarmless(search: string, by: Value): boolean {
  // No host has placeholders, quotes or blanks, and nobody else's is one of the machine itself.
  if (/[^\w.:/-]/.test(search) || /^:[a-z]/i.test(search) || ownMachine.test(search)) return true;
  const texts = optionsOf(by).map((option) => flat(partsOf(option)));
  // `.replace('/docs', '')`
  if (/^\/(?!\/)/.test(search)) return optionsOf(by).every((option) => plainText(option) === '');
  return scheme.test(search) && texts.every((text) => text === '' || scheme.test(text));
}

const scheme = /^(?:https?|wss?)(?::(?:\/\/)?)?$/i;
const ownMachine = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|host\.docker\.internal)(?![\w.-])/i;
