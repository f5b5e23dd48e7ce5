const res = await fetch('https://localhost.vendor.test/v1/campaigns/demo', { headers: { 'x-api-key': 'dev' } });
process.exitCode = res.ok ? 0 : 1;
