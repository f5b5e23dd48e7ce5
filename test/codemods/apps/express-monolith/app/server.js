'use strict';

const createApp = require('./app');
const { port } = require('./config');

createApp().listen(port, () => console.log(`http://localhost:${port}/v1`));
