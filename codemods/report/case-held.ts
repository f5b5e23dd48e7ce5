/** What is said of what stays because something else does, or was not looked at. */
import { v2Auth } from '../../src/contract/auth.ts';
import type { HeldWhy } from '../uses-between-components.ts';
import type { Finding } from '../model.ts';
import { allowIt, type CaseWording } from './shared-wording.ts';

/** By what holds it, where that is not what stands there. */
const helds: Readonly<Record<HeldWhy, CaseWording>> = {
  large: {
    title: 'More hangs on it than is looked through',
    reason:
      'Through what {name|this file} gives to others, more of the program hangs on it than is read for one change, so who else uses what would change here is not known.',
    remedy: `Run on the folders of the client and of its callers alone, or change path, base and header by hand; where all of these move along, ${allowIt}.`,
  },
  unread: {
    reason: '{name|What it uses} may also be used at {by|another place}, which could not be read.',
    remedy: 'See to {by|that file} first, and run again.',
  },
  generated: {
    title: 'Would change in a file that a generator makes',
    reason:
      'A generator makes {name|this file}, and what is changed here is lost when it is made again, so what hangs on it is still on v1.',
    remedy: `Change what it is made from, or get a version of it for v2, and make it again; what others give it moves with that.`,
  },
  import: {
    reason:
      '{name|It} may be what {by|another place} imports by a name that leads to no file, and what is done with it there is not known.',
    remedy: `Let the import at {by|that place} lead to its file and run again; where it gives neither base nor key, ${allowIt}.`,
  },
  caller: {
    reason:
      'It may be this client that {by|another place} asks for {name|a path of v1}: by what that is called on, nobody knows, and it would go on to ask v1 with the header of v2.',
    remedy: `Move the call at {by|that place} by hand together with this one, or give it the client by an import, and run again; where it is another service's, ${allowIt} at that call.`,
  },
  mock: {
    reason:
      'It shares a part with what stays at {by|another place}, and the calls of {name|v1} that it stands for move: its tests fail until it does, too.',
    remedy: 'See to {by|that place} first, and change this together with it.',
  },
  expected: {
    reason:
      'It may be what {by|another place} asks, which stays on v1: what is expected of calls moves only with all that it may be about.',
    remedy: 'See to {by|that place} first and run again; where this is about something else, change it by hand.',
  },
  package: {
    reason:
      '{package|A package} is imported at {by|another place} and run by this test: it is not read, stays on v1, and may be what asks for {name|this}.',
    remedy:
      'Where calls that move are answered here as well, add what v2 has beside this; where the package asks for nothing here, change it by hand.',
  },
  credentials: {
    reason: `At {by|another place} another host is asked with {name|the same credentials}, and would get the key as a ${v2Auth.scheme} token.`,
    remedy:
      'If that host is this service, too, run again with --v1-base for it; if it is another, give it credentials of its own, and run again.',
  },
  setting: {
    reason: '{name|What it uses} is also set or read at {by|another place}, which stays as it is, so this is still on v1.',
    remedy: `See to {by|that place} first and run again; where it may stay as it is, ${allowIt}.`,
  },
  host: {
    reason: '{name|What it uses} is set to another host at {by|another place}, so that nobody knows who is asked by it.',
    remedy:
      'If that host is this service, too, run again with --v1-base {base|URL} beside the others; if it is another, give it a variable of its own.',
  },
};

/** Of what stays as something does that stays for a third. */
const ofRoot: CaseWording = {
  reason: '{name|What it uses} is also used at {by|another place}, which stays because of {root|something else}, so this is still on v1.',
  remedy: `See to {root|that place} first and run again; where what stands at {by|the other place} may stay as it is, ${allowIt}.`,
};

const isWhy = (why: string | undefined): why is HeldWhy => why !== undefined && Object.hasOwn(helds, why);

/** What `held-elsewhere` means in the case at hand. */
export function heldCase(detail: Finding['detail']): Partial<CaseWording> {
  if (detail['why'] === 'setting' && Object.hasOwn(detail, 'root')) return ofRoot;
  return isWhy(detail['why']) ? helds[detail['why']] : {};
}
