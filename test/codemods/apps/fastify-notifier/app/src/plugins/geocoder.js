import axios from 'axios';
import fp from 'fastify-plugin';

/** Another vendor's, whose key goes by the same header. */
export default fp(async (fastify, { apiKey }) => {
  fastify.decorate('geocoder', axios.create({ baseURL: 'https://geo.example.net/v1', headers: { 'x-api-key': apiKey } }));
});
