<?php
// A seller's program as PHP users write it: curl, with an array as the body where a form is sent, which makes it
// multipart; JSON with the content type that curl gives a text; a script as the receiver.

$base = getenv('FERIA');
$token = null;

function call(string $method, string $path, $body = null, array $headers = []) {
    global $base, $token;
    $curl = curl_init($base . $path);
    curl_setopt($curl, CURLOPT_CUSTOMREQUEST, $method);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    if ($token !== null) $headers[] = 'Authorization: Bearer ' . $token;
    curl_setopt($curl, CURLOPT_HTTPHEADER, $headers);
    if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    if ($status < 200 || $status > 299) throw new Exception("$method $path: $status $text");
    return json_decode($text);
}

// Its own server of the language keeps what comes.
$inbox = getenv('INBOX');
$receiver = proc_open(['php', '-S', '127.0.0.1:' . getenv('RECEIVER_PORT'), __DIR__ . '/receiver.php'],
    [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
for ($tries = 0; $tries < 400 && !@fsockopen('127.0.0.1', (int) getenv('RECEIVER_PORT')); $tries++) usleep(20000);

$client = ['client_id' => getenv('CLIENT_ID'), 'client_secret' => getenv('CLIENT_SECRET')];

$tokens = call('POST', '/oauth/token', $client + [
    'grant_type' => 'authorization_code',
    'code' => getenv('CODE'),
    'redirect_uri' => getenv('REDIRECT_URI'),
]);
$tokens = call('POST', '/oauth/token', $client + [
    'grant_type' => 'refresh_token',
    'refresh_token' => $tokens->refresh_token,
]);

// Two workers renew at once.
$both = curl_multi_init();
$workers = [];
foreach ([0, 1] as $worker) {
    $curl = curl_init("$base/oauth/token");
    curl_setopt($curl, CURLOPT_POST, true);
    curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
    curl_setopt($curl, CURLOPT_POSTFIELDS, $client + [
        'grant_type' => 'refresh_token',
        'refresh_token' => $tokens->refresh_token,
    ]);
    curl_multi_add_handle($both, $curl);
    $workers[] = $curl;
}
do { curl_multi_exec($both, $running); curl_multi_select($both); } while ($running > 0);
$renewed = array_map(fn ($curl) => json_decode(curl_multi_getcontent($curl)), $workers);
foreach ($renewed as $answer) if (!isset($answer->access_token)) throw new Exception(json_encode($answer));
$token = $renewed[0]->access_token;
$result = ['same_successor' => $renewed[0]->refresh_token === $renewed[1]->refresh_token];

$me = call('GET', '/users/me');
$seller = $me->id;

$orders = [];
do {
    $query = http_build_query(['seller' => $seller, 'sort' => 'date_desc', 'limit' => 2, 'offset' => count($orders)]);
    $page = call('GET', "/orders/search?$query");
    $orders = array_merge($orders, $page->results);
} while (count($orders) < $page->paging->total && $page->results);
$result['orders'] = count($orders);
$result['order'] = call('GET', '/orders/' . $orders[0]->id)->id === $orders[0]->id;

$items = [];
$scroll = '';
do {
    $page = call('GET', "/users/$seller/items/search?search_type=scan&limit=2" . ($scroll ? '&scroll_id=' . urlencode($scroll) : ''));
    $items = array_merge($items, $page->results);
    $scroll = $page->scroll_id;
} while ($page->results && $scroll);
$result['items'] = count(array_unique($items));

$json = ['Content-Type: application/json'];
$result['answered'] = call('POST', '/answers', json_encode([
    'question_id' => (int) getenv('QUESTION_ID'),
    'text' => 'Sí, hay stock.',
]), $json)->status;

$pack = getenv('PACK_ID');
$file = new CURLFile(getenv('FILE'), 'image/png', 'etiqueta.png');
$upload = call('POST', '/messages/attachments?tag=post_sale&site_id=MLA', ['file' => $file]);
$message = call('POST', "/messages/packs/$pack/sellers/$seller?tag=post_sale", json_encode([
    'from' => ['user_id' => $seller],
    'to' => ['user_id' => getenv('BUYER_ID')],
    'text' => 'Te mando la foto.',
    'attachments' => [$upload->id],
]), $json);
$result['message'] = $message->status;

// No content type: curl says that a text is a form.
$item = call('POST', '/items', json_encode(json_decode(getenv('PUBLICATION'))));
$changed = call('PUT', "/items/{$item->id}", json_encode(['price' => '2100.50', 'available_quantity' => '7']), $json);
$result['price'] = $changed->price;
$result['quantity'] = $changed->available_quantity;

// As an array and back: what was an empty object is an empty list now.
$read = json_decode(json_encode(call('GET', "/items/{$item->id}")), true);
call('PUT', "/items/{$item->id}", json_encode($read), $json);

$missed = call('GET', '/missed_feeds?app_id=' . getenv('CLIENT_ID'));
$result['missed'] = is_array($missed->messages);

for ($tries = 0; $tries < 400 && !glob("$inbox/*.json"); $tries++) usleep(50000);
proc_terminate($receiver);
foreach (glob("$inbox/*.json") as $received) {
    $notification = json_decode(file_get_contents($received));
    $result['received'] = $notification->topic;
    $result['key'] = basename($received, '.json') === $notification->_id;
}
echo json_encode($result), "\n";
