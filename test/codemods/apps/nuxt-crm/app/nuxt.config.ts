// https://nuxt.com/docs/api/configuration/nuxt-config
export default defineNuxtConfig({
  compatibilityDate: '2024-11-01',
  modules: ['@nuxt/ui'],
  runtimeConfig: {
    messagingApiKey: process.env.NUXT_MESSAGING_API_KEY,
    messaging: {
      baseUrl: 'https://api.example.com',
    },
    parcelApiKey: '',
    public: {
      siteName: 'Studio CRM',
      campaignsUrl: 'https://api.example.com/v1/campaigns',
    },
  },
  routeRules: {
    '/api/v1/**': { cors: true },
  },
});
