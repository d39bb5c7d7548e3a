<?php
// Keeps a notification under its key and answers at once, as receivers do that work on it later.
$notification = json_decode(file_get_contents('php://input'));
if (!isset($notification->_id)) { http_response_code(400); exit; }
$file = getenv('INBOX') . '/' . $notification->_id . '.json';
file_put_contents("$file.part", json_encode($notification));
rename("$file.part", $file);
