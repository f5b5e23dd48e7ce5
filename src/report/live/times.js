/** Instants in the browser: in the zone that was chosen, and ages as of now. The page has them in UTC. */

const local = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'short' });

/** @param {Date} date */
const localText = (date) => `${local.format(date)} ${zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? ''}`;

/** @param {Date} date */
const utcText = (date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Writes the minutes of a page, and what it says of others to whoever points at them. @param {boolean} isLocal */
export function writeTimes(isLocal) {
  for (const time of document.querySelectorAll('time')) {
    const text = (isLocal ? localText : utcText)(new Date(time.dateTime));
    if (time.className === 'at') time.textContent = text;
    else time.title = text;
  }
}

/** @param {number} passed in milliseconds */
function ageText(passed) {
  const minutes = Math.floor(passed / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 2_880 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1_440)} d ago`;
}

/** Brings ages up to now. */
export function writeAges() {
  for (const time of document.querySelectorAll('time')) {
    if (time.className === 'ago') time.textContent = ageText(Date.now() - Date.parse(time.dateTime));
  }
}
