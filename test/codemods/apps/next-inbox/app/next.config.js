/** @type {import('next').NextConfig} */
export default {
  async headers() {
    return [{ source: '/api/v1/:path*', headers: [{ key: 'Access-Control-Allow-Headers', value: 'x-api-key, content-type' }] }];
  },
};
