/**
 * Has no process of a test run yield to others. What makes reports does, and gets a hundredth of a core then where each core has a test that
 * computes: tests of a page waited half a minute for what takes half a second, and kept their place from others meanwhile. A test that is
 * about yielding sets YIELDS. In the processes of vitest, and in those that tests start.
 */
'use strict';

const { syncBuiltinESMExports } = require('node:module');
const os = require('node:os');

const { setPriority } = os;

os.setPriority = (...args) => {
  if (process.env.YIELDS !== undefined) setPriority(...args);
};
syncBuiltinESMExports();
