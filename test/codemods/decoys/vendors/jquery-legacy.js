$.ajax({
  url: 'https://legacy.vendor.biz/v1/contacts',
  method: 'POST',
  headers: { 'X-Api-Key': window.vendorKey },
  contentType: 'application/json',
  data: JSON.stringify({ name: 'Ada' }),
});
