const createApp = require('./app');
const config = require('./config');
const { buildContainer } = require('./container');

createApp(buildContainer()).listen(config.port, () => console.log(`Bookings on ${config.port}`));
