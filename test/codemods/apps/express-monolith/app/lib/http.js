'use strict';

const axios = require('axios');

/** Clients of other services: each has a base and a key, and tells its errors alike. */
function createHttp({ baseURL, timeout = 60_000, headers }) {
  const http = axios.create({ baseURL, timeout, headers: Object.assign({ Accept: 'application/json' }, headers) });
  http.interceptors.response.use(
    (response) => response.data,
    (error) => {
      const status = error.response ? error.response.status : 0;
      return Promise.reject(Object.assign(new Error(`Upstream answered ${status}`), { status }));
    },
  );
  return http;
}

module.exports = { createHttp };
