/** Load tests of Artillery: requests below `flow`, with the target and the headers that all of them have: https://www.artillery.io/docs/reference/test-script. */
import { type Reading, type WrittenRequest, merge } from '../reading.ts';
import { type Text, join } from '../text.ts';
import { type Header, isAuthorizationField, isKeyField, writtenRequest } from '../written.ts';
import type { Around } from './read.ts';
import { type Data, type DataMap, childrenOf, entryOf, listOf, mapOf, mapsIn, textOf } from './tree.ts';
import { verbs } from '../../clients/shapes.ts';

export function isLoadTest(root: Data): root is DataMap {
  if (root.kind !== 'map' || entryOf(root, /^scenarios$/) === undefined) return false;
  const config = mapOf(root, /^config$/);
  return config !== undefined && targetsOf(config).length > 0;
}

/** The target, and those that environments put in its place. */
const targetsOf = (config: DataMap): Text[] => [config, ...environmentsOf(config)].flatMap((each) => textOf(each, /^target$/)?.text ?? []);

const environmentsOf = (config: DataMap): DataMap[] => {
  const environments = mapOf(config, /^environments$/);
  return environments === undefined ? [] : childrenOf(environments).filter((each) => each.kind === 'map');
};

export function readLoadTest(root: DataMap, around: Around): Reading {
  const config = mapOf(root, /^config$/) ?? root;
  const targets = targetsOf(config);
  const shared = [config, ...environmentsOf(config)].flatMap((each) =>
    [mapOf(each, /^defaults$/), mapOf(mapOf(each, /^http$/) ?? each, /^defaults$/)].flatMap((defaults) =>
      defaults ? headersOf(defaults) : [],
    ),
  );
  const usual = [...new Map(shared.map((header) => [header.name.at[0], header])).values()];
  const flows = [/^scenarios$/, /^before$/, /^after$/].flatMap((name) => entryOf(root, name)?.value ?? []);
  // Other engines send something else: pages, sockets.
  const scenarios = flows.flatMap((each) => (each.kind === 'list' ? each.items : [each])).filter((each) => each.kind === 'map');
  const asking = scenarios.filter((scenario) => /^(?:http)?$/.test(textOf(scenario, /^engine$/)?.value ?? ''));
  const requests = asking.flatMap((scenario) =>
    listOf(scenario, /^flow$/)
      .flatMap(mapsIn)
      .flatMap(({ entries }) => entries)
      .flatMap(({ key, value }) =>
        verbs.has(key.value) && value.kind === 'map'
          ? asked(value, key.value, targets, usual, around, [scenario, value].some(isHooked))
          : [],
      ),
  );
  return merge([{ requests }]);
}

/** Whether a function of the program may put anything into the request. */
const isHooked = (map: DataMap): boolean => entryOf(map, /^beforeRequest$/) !== undefined;

/** A path goes to each of the targets; what begins otherwise is a whole address. */
function asked(
  map: DataMap,
  method: string,
  targets: readonly Text[],
  usual: readonly Header[],
  { stretch, scope }: Around,
  isLeft: boolean,
): WrittenRequest[] {
  const url = textOf(map, /^ur[li]$/)?.text;
  if (url === undefined) return [];
  const own = headersOf(map);
  const isSet = ({ name }: Header): boolean => own.some((each) => each.name.value.toLowerCase() === name.value.toLowerCase());
  const given = {
    start: url.at[0] ?? map.start,
    end: (url.at.at(-1) ?? map.end) + 1,
    client: 'artillery',
    method,
    headers: [...usual.filter((header) => !isSet(header)), ...own],
    hasCredentials: entryOf(map, /^auth$/) !== undefined,
  };
  const urls = url.value.startsWith('/') ? targets.map((target) => join([target, url])) : [url];
  const [first, ...others] = urls.map((each) => writtenRequest({ ...given, url: each }, stretch, scope, { isLeft }));
  return first === undefined ? [] : [{ ...first, requests: [first, ...others].flatMap(({ requests }) => requests) }];
}

const headersOf = (map: DataMap): Header[] =>
  (mapOf(map, /^headers$/)?.entries ?? []).flatMap(({ key, value }) =>
    key.text !== undefined && (isKeyField(key.value) || isAuthorizationField(key.value))
      ? [{ name: key.text, value: value.kind === 'scalar' ? value.text : undefined }]
      : [],
  );
