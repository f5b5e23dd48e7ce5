'use strict';

/** Runs the night's job once, with the key of the environment. */
module.exports = async function main({ key }) {
  process.env.MESSAGING_API_KEY = key;
  const lines = [];
  const messageId = await require('./jobs/daily-digest')((line) => lines.push(line));
  const status = await require('./services/messaging').statusOf(messageId);
  return { lines, sent: typeof messageId, status };
};
